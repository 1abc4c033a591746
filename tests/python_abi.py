#!/usr/bin/env python3
"""Makes python/motorcade/_abi.py, the C interface in ctypes, from the public headers.

usage: python_abi.py [ROOT] [--build FOLDER]            check that the file is what the headers say
       python_abi.py [ROOT] [--build FOLDER] --write    write it

clang reads motorcade.h and gives its declarations as JSON: enumerations, structures and functions
whose names begin with mc_ or MC_.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PLAIN = {
    "void": "None",
    "char": "C.c_char",
    "signed char": "C.c_byte",
    "unsigned char": "C.c_ubyte",
    "short": "C.c_short",
    "unsigned short": "C.c_ushort",
    "int": "C.c_int",
    "unsigned int": "C.c_uint",
    "unsigned": "C.c_uint",
    "long": "C.c_long",
    "unsigned long": "C.c_ulong",
    "long long": "C.c_longlong",
    "unsigned long long": "C.c_ulonglong",
    "float": "C.c_float",
    "double": "C.c_double",
    "_Bool": "C.c_bool",
    "bool": "C.c_bool",
    "size_t": "C.c_size_t",
    "uint8_t": "C.c_uint8",
    "uint16_t": "C.c_uint16",
    "uint32_t": "C.c_uint32",
    "uint64_t": "C.c_uint64",
    "int64_t": "C.c_int64",
}


class Headers:
    """Declarations of the headers, in their order."""

    def __init__(self, root, build):
        text = subprocess.run(
            ["clang", "-std=c17", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", "-"]
            + [f"-I{root}/include", f"-I{build}/include"],
            input='#include "motorcade/motorcade.h"\n',
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        self.enums, self.structs, self.functions, self.functypes = {}, {}, {}, {}
        self.enum_names, self.unions, self.variables, self.names = set(), set(), {}, {}
        for node in json.loads(text)["inner"]:
            self.take(node)

    def take(self, node):
        kind, name = node["kind"], node.get("name", "")
        if kind == "EnumDecl":
            if name:
                self.enum_names.add(name)
            if name.startswith("mc_") or not name:
                self.take_enum(node)
        elif kind == "RecordDecl" and name.startswith("mc_"):
            self.take_record(node, name)
        elif kind == "FunctionDecl" and name.startswith("mc_"):
            params = [p for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
            self.functions[name] = (node["type"]["qualType"], params, node.get("variadic", False))
        elif kind == "TypedefDecl" and name.startswith("mc_"):
            self.names[name] = node["type"]["qualType"]
        elif kind == "VarDecl" and name.startswith("mc_"):
            self.variables[name] = node["type"]["qualType"]

    def take_enum(self, node):
        value = -1
        for item in node.get("inner", []):
            if item["kind"] != "EnumConstantDecl":
                continue
            if not item["name"].startswith("MC_"):
                return
            value = constant(item) if constant(item) is not None else value + 1
            self.enums[item["name"]] = value

    def take_record(self, node, name):
        if not node.get("completeDefinition"):
            self.structs.setdefault(name, None)
            return
        if node.get("tagUsed") == "union":
            self.unions.add(name)
        fields, inner = [], None
        for item in node.get("inner", []):
            if item["kind"] == "RecordDecl":
                inner = item.get("name") or f"{name}_inner"
                self.take_record(item, inner)
            elif item["kind"] == "FieldDecl":
                fields.append((item.get("name", "inner"), item["type"]["qualType"], inner))
        self.structs.pop(name, None)  # it comes where it is complete
        self.structs[name] = fields

    # ---- types ----

    def type(self, text, inner=None):
        text = re.sub(r"\b(const|volatile|struct|enum|restrict)\b", "", text)
        text = re.sub(r"\s+", " ", text).strip()
        if "unnamed" in text or "anonymous" in text:
            size = re.search(r"\)\s*\[(\d+)\]$", text)
            return f"{inner} * {size[1]}" if size else inner
        if "(*" in text or re.search(r"\)$", text):
            return "C.c_void_p"  # a function; callers cast theirs
        if match := re.fullmatch(r"(.*?) ?((?:\[\d+\])+)", text):
            result = self.type(match[1], inner)
            for size in reversed(re.findall(r"\d+", match[2])):
                result = f"{result} * {size}" if "*" not in result else f"({result}) * {size}"
            return result
        if text.endswith("*"):
            return self.pointer(text[:-1].strip(), inner)
        return self.value(text, inner)

    def pointer(self, to, inner):
        if to == "char":
            return "C.c_char_p"
        if to.endswith("*") or to in ("void", "FILE"):
            return "C.POINTER(C.c_char_p)" if to.replace(" ", "") == "char*" else "C.c_void_p"
        if to in self.structs or to in PLAIN or to in self.enum_names:
            if self.structs.get(to, 0) is None:
                return "C.c_void_p"  # opaque
            return f"C.POINTER({self.value(to, inner)})"
        return "C.c_void_p"

    def value(self, text, inner):
        if text in PLAIN:
            return PLAIN[text]
        if text in self.enum_names:
            return "C.c_int"
        if text in self.structs:
            return text
        if text in self.names:
            return self.type(self.names[text])
        raise SystemExit(f"python_abi: unknown type {text}")


def constant(node):
    """The value of an enumerator, None where it follows from the one before."""
    for item in node.get("inner", []):
        if "value" in item:
            return int(item["value"])
        found = constant(item)
        if found is not None:
            return found
    return None


def make(root, build):
    h = Headers(root, build)
    lines = [
        '"""The C interface in ctypes. Made by tests/python_abi.py from the public headers."""',
        "",
        "import ctypes as C",
        "",
    ]
    lines += [f"{name} = {value}" for name, value in h.enums.items()]
    complete = {name: fields for name, fields in h.structs.items() if fields is not None}
    for name in complete:
        base = "Union" if name in h.unions else "Structure"
        lines += ["", "", f"class {name}(C.{base}):", "    pass"]
    lines += ["", ""]
    for name, fields in complete.items():
        body = ", ".join(f'("{field}", {h.type(type_, inner)})' for field, type_, inner in fields)
        lines.append(f"{name}._fields_ = [{body}]")
    lines += ["", "FUNCTIONS = {  # name: (result, arguments)"]
    for name, (type_, params, variadic) in sorted(h.functions.items()):
        result = h.type(type_[: type_.index("(")])
        owned = result == "C.c_char_p" and "const" not in type_[: type_.index("(")]
        result = "C.c_void_p" if owned else result  # to be freed: the address is needed
        arguments = ", ".join(h.type(p["type"]["qualType"]) for p in params)
        if not variadic:
            lines.append(f'    "{name}": ({result}, [{arguments}]),')
    lines += ["}", "VARIABLES = {"]
    lines += [f'    "{name}": {h.type(type_)},' for name, type_ in sorted(h.variables.items())]
    return "\n".join(lines + ["}", ""])


def main(arguments):
    root = Path(__file__).resolve().parents[1]
    build = root / "build"
    if "--build" in arguments:
        at = arguments.index("--build")
        build = Path(arguments[at + 1])
        del arguments[at : at + 2]
    plain = [a for a in arguments if not a.startswith("--")]
    root = Path(plain[0]) if plain else root
    path, text = root / "python/motorcade/_abi.py", make(root, build)
    if "--write" in arguments:
        path.write_text(text, encoding="utf-8")
        return 0
    if path.read_text(encoding="utf-8") != text:
        print(f"{path}: not what the headers say; tests/python_abi.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
