"""What the package raises. Messages say what was expected and what was found."""


class Error(Exception):
    """The base of all errors of this package."""


class ManifestError(Error):
    """A manifest, or arguments, that cannot be launched."""


class CompileError(Error):
    """The compiler was not found, or refused the program; the text has its errors."""


class DriverError(Error):
    """An error of CUDA's driver."""
