// What the files of the binding share: nanobind, arrays in and out, and texts of Python objects.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinge::python {

namespace nb = nanobind;
using namespace nb::literals;

// An array that Python hands in: of any layout that NumPy has made contiguous, never written.
template <class T, std::size_t N>
using In = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

// An array that Python gets and owns.
template <class T>
nb::object out_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}

// What is given as an array, made of a list where it is one. Not valid where it cannot be.
template <class Array>
bool array_of(nb::handle values, const char* dtype, Array& out) {
  if (nb::ndarray_check(values)) return nb::try_cast(values, out);
  if (!PyList_Check(values.ptr()) && !PyTuple_Check(values.ptr())) return false;
  try {
    const nb::object made = nb::module_::import_("numpy").attr("ascontiguousarray")(values, dtype);
    return nb::try_cast(made, out);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    return false;  // it is not made of numbers
  }
}

// The text of a str, valid as long as it lives.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

// A tuple of what can be iterated over, which no other code can change while it is read. Not valid where it cannot;
// what an iterator raises comes through.
inline nb::object tuple_of(nb::handle items) {
  if (PyTuple_Check(items.ptr())) return nb::borrow<nb::object>(items);
  const nb::object each = nb::steal<nb::object>(PyObject_GetIter(items.ptr()));
  if (!each.is_valid()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();
    return {};
  }
  nb::object tuple =
      nb::steal<nb::object>(PySequence_Tuple(PyList_Check(items.ptr()) ? items.ptr() : each.ptr()));
  if (!tuple.is_valid()) throw nb::python_error();
  return tuple;
}
inline std::string name_of_type(nb::handle value) {
  return nb::cast<std::string>(value.type().attr("__name__"));
}
// Whether pandas says that there is nothing: NA and NaT, whose types hide in its depths.
inline bool is_missing(nb::handle value) {
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) || PyTuple_Check(value.ptr())) return false;
  const std::string name = name_of_type(value);
  return name == "NAType" || name == "NaTType";
}

// Of a list or a tuple.
inline std::size_t size_of(nb::handle list) {
  return static_cast<std::size_t>(PyList_Check(list.ptr()) ? PyList_Size(list.ptr())
                                                           : PyTuple_Size(list.ptr()));
}
inline nb::handle item_of(nb::handle list, std::size_t i) {
  const auto at = static_cast<Py_ssize_t>(i);
  return PyList_Check(list.ptr()) ? PyList_GetItem(list.ptr(), at) : PyTuple_GetItem(list.ptr(), at);
}

void bind_options(nb::module_& m);
void bind_records(nb::module_& m);
void bind_model(nb::module_& m);
void bind_engines(nb::module_& m);
void bind_task(nb::module_& m);

}  // namespace hinge::python
