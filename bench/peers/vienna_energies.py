"""ViennaRNA's own energies as a parameter file: vienna_energies.py FILE"""

import sys

import RNA

if not RNA.params_save(sys.argv[1]):
    sys.exit(f"ViennaRNA could not write {sys.argv[1]}.")
