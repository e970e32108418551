"""Sphinx over the manual as it stands in docs/, copied beside this file by docs/site/build."""

import hinge

project = "Hinge"
author = "the authors of Hinge"
release = version = hinge.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "alabaster"
html_theme_options = {"description": "Learning structured predictors", "fixed_sidebar": True, "page_width": "1080px", "body_max_width": "none"}
html_favicon = "icon.svg"
html_static_path = ["custom.css"]  # which the theme looks for
html_copy_source = False
myst_heading_anchors = 4
autodoc_typehints = "none"
autodoc_mock_imports = ["torch", "triton", "jax"]  # their reference needs docstrings alone
napoleon_use_param = False
exclude_patterns = ["gallery/*.py", "site"]
suppress_warnings = ["myst.header"]  # pages may begin below the first level


def setup(app):
    # |w| is no reference of reStructuredText's.
    app.connect("autodoc-process-docstring", lambda app, what, name, obj, options, lines: lines.__setitem__(slice(None), [line.replace("|", "\\|") for line in lines]))
