//! Whole numbers of any size from Python.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::errors::value_error;

/// A whole number; one beyond 64 bits is only known by its digits, for the error that names it.
pub enum Whole {
    Small(i64),
    Large(String),
}

impl Whole {
    /// The number, if this type holds it.
    pub fn get<T: TryFrom<i64>>(&self) -> Option<T> {
        match self {
            Whole::Small(number) => T::try_from(*number).ok(),
            Whole::Large(_) => None,
        }
    }

    /// The number, or an error with the name of the argument.
    pub fn within(&self, name: &str, bounds: RangeInclusive<u32>) -> PyResult<u32> {
        self.get().filter(|number| bounds.contains(number)).ok_or_else(|| {
            let (least, most) = bounds.into_inner();
            value_error(format!("{name}: {self} is not a whole number from {least} to {most}"))
        })
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole> {
        match object.extract() {
            Ok(number) => Ok(Whole::Small(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Whole::Large(object.str()?.to_string()))
            }
            Err(error) => Err(error),
        }
    }
}

impl Display for Whole {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Whole::Small(number) => number.fmt(f),
            Whole::Large(digits) => f.write_str(digits),
        }
    }
}
