"""The shared library: found, loaded, called; errors as exceptions."""

from __future__ import annotations

import ctypes as C
import os
import threading
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Sequence, Union

import numpy as np

from . import _abi

PathLike = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """Something that the library rejects or cannot do.

    `text` says what is wrong and what was expected; `file`, `line` and `column` where (None: it has
    no place), `excerpt` is that line and `caret` the place in it. `vehicle` is the number of the
    vehicle it is about, from 1 (None: none).
    """

    def __init__(self, error: _abi.mc_error):
        buffer = C.create_string_buffer(1200)
        library.mc_error_format(C.byref(error), buffer, len(buffer))
        self.text = error.text.decode(errors="replace")
        self.file = error.file.decode(errors="replace") or None
        self.line: Optional[int] = error.line or None
        self.column: Optional[int] = error.column or None
        self.excerpt = error.excerpt.decode(errors="replace") or None
        self.caret: Optional[int] = error.caret or None
        self.vehicle: Optional[int] = error.vehicle or None
        self.message = buffer.value.decode(errors="replace")
        Exception.__init__(self, self.message)

    def __str__(self) -> str:
        if not self.excerpt or not self.caret:
            return self.message
        return f"{self.message}\n  {self.excerpt}\n  {' ' * (self.caret - 1)}^"


class BadInput(Error, ValueError):
    """What the caller wrote is wrong: a file, an option, a value."""


class Failed(Error, ArithmeticError):
    """The computation failed: numbers that are not finite, no convergence."""


class SystemFailed(Error, OSError):
    """A file cannot be read or written, or the disk is full."""


class NoMemory(Error, MemoryError):
    """Memory could not be allocated."""


class Interrupted(Error):
    """Stopped on request; what was written is valid."""


_EXCEPTIONS = {
    _abi.MC_BAD_INPUT: BadInput,
    _abi.MC_FAILED: Failed,
    _abi.MC_IO: SystemFailed,
    _abi.MC_NO_MEMORY: NoMemory,
    _abi.MC_INTERRUPTED: Interrupted,
}


def _candidates() -> Iterable[str]:
    """Where the library may be: said by the user, in this package, in a build tree, installed."""
    here = Path(__file__).resolve().parent
    if os.environ.get("MOTORCADE_LIBRARY"):
        yield os.environ["MOTORCADE_LIBRARY"]
        return
    yield from map(str, sorted(here.glob("libmotorcade.so*")))
    built = here.parents[1] / "build" / "libmotorcade.so"
    if (here.parents[1] / "CMakeLists.txt").is_file() and built.is_file():
        yield str(built)
    yield "libmotorcade.so.0"


def _load() -> C.CDLL:
    reasons = []
    for name in _candidates():
        try:
            return C.CDLL(name)
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError(
        "libmotorcade.so.0 cannot be loaded; install it (make install) or set MOTORCADE_LIBRARY: "
        + "; ".join(reasons)
    )


library = _load()
for _name, (_result, _arguments) in _abi.FUNCTIONS.items():
    try:
        _function = getattr(library, _name)
    except AttributeError:
        raise ImportError(
            f"{library._name} has no function {_name}: it is of another version than this package"
        ) from None
    _function.restype = _result
    _function.argtypes = _arguments

_libc = C.CDLL(None)
_libc.free.argtypes = [C.c_void_p]


def error_of(error: _abi.mc_error) -> Error:
    """The exception of an error that the library filled in."""
    return _EXCEPTIONS.get(error.code, Error)(error)


def check(function: Callable[..., Any], *arguments: Any) -> None:
    """Calls a function that returns an mc_status; its last argument is the mc_error."""
    error = _abi.mc_error()
    if function(*arguments, C.byref(error)) != _abi.MC_OK:
        raise error_of(error)


def create(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function that returns an object or NULL; its last argument is the mc_error."""
    error = _abi.mc_error()
    result = function(*arguments, C.byref(error))
    if not result:
        raise error_of(error)
    return result


def check_long(function: Callable[..., Any], *arguments: Any) -> None:
    """As check, for a function that takes long: Ctrl-C ends it.

    One argument is the class mc_watch: the watch takes its place.
    """
    flag = C.c_int(0)
    watch = _abi.mc_watch(C.cast(C.pointer(flag), C.c_void_p), _flag_address(), None)
    given = [C.byref(watch) if a is _abi.mc_watch else a for a in arguments]
    if threading.current_thread() is not threading.main_thread():
        return check(function, *given)
    failure: list[BaseException] = []

    def work() -> None:
        try:
            check(function, *given)
        except BaseException as reason:  # raised again in the main thread
            failure.append(reason)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        flag.value = 1
        thread.join()
        raise
    if failure:
        raise failure[0]
    return None


def _flag_address() -> int:
    return C.cast(library.mc_watch_flag, C.c_void_p).value or 0


def path_bytes(path: PathLike) -> bytes:
    return os.fsencode(path)


def strings(texts: Sequence[str]) -> Any:
    """An array of C strings; keep it as long as it is used."""
    return (C.c_char_p * max(len(texts), 1))(*[t.encode() for t in texts])


def take_text(address: int, size: Optional[int] = None) -> bytes:
    """Text that the library allocated, which is freed."""
    try:
        return C.string_at(address) if size is None else C.string_at(address, size)
    finally:
        _libc.free(address)


def view(address: Any, shape: tuple[int, ...], dtype: Any, owner: Any) -> np.ndarray:
    """An array on memory of the library, without a copy. It keeps `owner` alive."""
    address = C.cast(address, C.c_void_p).value
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if not address or size == 0:
        return np.empty(shape, dtype)
    memory = (C.c_char * size).from_address(address)
    memory._owner = owner  # the buffer that the array refers to
    return np.frombuffer(memory, dtype).reshape(shape)


def doubles(array: np.ndarray) -> Any:
    """The address of a contiguous array of doubles."""
    return array.ctypes.data_as(C.POINTER(C.c_double))


def version() -> str:
    """The version of the library."""
    return library.mc_version().decode()
