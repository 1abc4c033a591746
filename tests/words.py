#!/usr/bin/env python3
"""Counts words and phrases that a native English-speaking engineer would not write.

usage: words.py [ROOT]          count, by kind of text and by word; compare with the budget
       words.py [ROOT] --files  hits per file, most first
       words.py [ROOT] --list [WORD]   every hit as file:line: text -> rather
       words.py [ROOT] --write  lower the budget to what there is; it is never raised
       words.py --self-test     check that hits are found, and good English is left alone

Four kinds of text are read:
  prose     pages: README.md, docs/*.md and other *.md, outside of code
  strings   literals of C and TypeScript: help, messages, the page
  comments  of C, TypeScript, Python, shell, CMake and YAML
  names     identifiers of C and TypeScript, each once per file, and names of files

tests/words_budget.txt has the number of hits allowed for each kind. It may only fall; the exit code
is 1 when a kind has more. A part of a page that must have such words, such as a list of old names,
stands between <!-- words off --> and <!-- words on -->; a line of code that must have one ends with
the comment "old name".
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

KINDS = ("prose", "strings", "comments", "names")
TEXT = ("prose", "strings", "comments")

THING = (
    "axis|batch|block|body|car|case|cell|channel|column|concept|controller|coordinate|core|curve|"
    "entry|event|file|folder|frame|function|group|hit|impact|item|joint|kind|kilometre|lane|law|"
    "layer|line|link|litre|metre|model|name|number|object|page|pair|parameter|part|pedal|pixel|"
    "platoon|point|process|quantity|row|run|sample|scenario|series|slot|source|spring|stage|state|"
    "step|table|target|test|thread|tile|track|tyre|value|vehicle|velocity|wheel|world"
)
COUNTED = (
    "bits?|bytes?|cells?|columns?|digits?|doubles?|entries|entry|arrays?|expressions?|files?|"
    "folders?|functions?|headers?|headings?|instructions?|lanes?|letters?|messages?|needles?|ones?|"
    "operations?|panels?|rows?|series|servers?|strings?|suite|tables?|terms?|threads?|windows?|"
    "words?|[GMk]?Hz|[kMG]B|[numk]?s|[cmk]?m|[kM]?J|g|kg|l|%|rad|N"
)
VERBS = (  # after a number only: "runs a test" is a sentence
    "calls?|copy|copies|frames?|lines?|links?|looks?|names?|numbers?|pages?|parts?|points?|"
    "programs?|runs?|slots?|states?|steps?|tests?|values?"
)
CLAUSE = (  # "the files a scenario names", "which one a car keeps" are relative clauses
    "alone|can|can't|cannot|could|gets|gives|had|has|is|keeps|may|must|names|need|needs|reads|settles|"
    "shows|spent|takes|uses|was|will|would"
)
NUMBER = r"(?:one|two|three|four|five|six|eight|ten|\d[\d,.]*)"

# word: (pattern, what to write, kinds, a sample that is found, a sample that is not). The table of
# CONTRIBUTING.md is made from this.
GLOSSARY = {
    "a for per": (
        rf"(?<![\w/-])(?:{COUNTED}|{NUMBER} (?:{VERBS})) an? (?:{THING})(?![\w-]| (?:{CLAUSE})\b)",
        "per", TEXT, "one row a car", "the files a scenario names"),
    "as X has it": (r"\bas (?:\w+ ){1,4}has (?:it|them)\b", "as in X", TEXT,
                    "as the scenario has it", "as it has a car"),
    "anew": (r"\banew\b", "again; re-", TEXT, "made anew", "a newer one"),
    "behind for after": (r"\bbehind (?:an?|the|its) (?:number|slash|name|law|colon|semicolon|unit|"
                         r"comma|point|key|value|word|option|digit)\b", "after", TEXT,
                         "a unit behind a number", "behind the car"),
    "besides": (r"\bbesides\b", "also", TEXT, "and besides", "and beside it"),
    "books": (r"\bbooks?\b(?! in the)", "energy balance", TEXT, "the books say", "bookkeeping"),
    "by turns": (r"\bby turns\b", "alternately", TEXT, "soft and stiff by turns", "by turning"),
    "came to": (r"\bwhat (?:\w+ ){1,3}(?:came|comes|come) to\b", "the result", TEXT,
                "says what the run came to", "it came to the end"),
    "carry on": (r"\bcarr(?:y|ies|ied|ying) (?:it |them )?on\b", "extrapolate; carry over", TEXT,
                 "signals are carried on by half a step", "carried out on time"),
    "for ever": (r"\bfor ever\b", "forever; no limit", TEXT, "waits for ever", "for every"),
    "give back": (r"\bg(?:ive|ives|iven|ave|iving) (?:it |them )?back\b", "return; release", TEXT,
                  "the car is given back", "given a back seat"),
    "give out": (r"\bg[ia]ven? out\b|\bgives? out\b", "print; return", TEXT,
                 "gives out the rows", "gives the output"),
    "gives no": (r"\bgives? no (?:thread|memory|socket|time|number)", "cannot create; fails", TEXT,
                 "the system gives no thread", "gives a thread"),
    "go on": (r"\b(?:go(?:es|ing|ne)?|went) on\b(?! (?:the|an?|one|top|what is) )",
              "continue; resume", TEXT, "it goes on from there", "it goes on the next line"),
    "greatest": (r"\bgreatest\b", "maximum; largest", TEXT, "the greatest gap", "great"),
    "hand on": (r"(?<!the\s)(?<!and\s)\bhand(?:s|ed|ing)? (?:(?!is|are)\w+ )?on\b(?! the\b|:)", "pass",
                TEXT, "hands both on", "a hand on the wheel"),
    "in the place of": (r"\bin the place of\b", "instead of", TEXT,
                        "in the place of the key", "in place of the key"),
    "in vain": (r"\bin vain\b", "timed out; without effect", TEXT, "waited in vain", "in van"),
    "is no": (r"\b(?:that|which|what|this|it) (?:is|are|was) no (?!(?:longer|later|larger|smaller|"
              r"shorter|better|worse|more|less|faster|slower|higher|lower|further|other|need|one|such|"
              r"part|room|way)\b)\w+", "is not a", TEXT,
              "a value that is no number", "it is no longer used"),
    "is no X": (r"\bis no \w+[;,] (?:there|those|known)", "unknown X; expected", TEXT,
                "is no fault; there are", "there is no fault"),
    "laid out": (r"\b(?:lays?|laid) (?:it |them )?beside\b", "next to", TEXT,
                 "laid beside it", "laid out"),
    "least": (r"\b(?:the|its|their|an?|of|with|whose) (?:least|most) (?:gap|value|headway|distance|"
              r"speed|acceleration|deceleration|brake|force|step|length|width|number)\b"
              r"|\bleast (?:and|or) (?:most|greatest)\b|\bthe least of\b", "minimum; smallest", TEXT,
              "the least gap", "at least a gap"),
    "left alone": (r"\b(?:is|are|be) left alone\b", "unchanged", TEXT,
                   "it is left alone", "what is left"),
    "let alone": (r"\bcars? let alone\b", "released", TEXT, "a car let alone", "let us"),
    "look of": (r"\b(?:between )?two looks\b|\blooks of the\b", "sampling interval; samples", TEXT,
                "between two looks of the controllers", "the look of it"),
    "made of it": (r"\bma(?:ke|kes|de|king) an? \w+ (?:and \w+ )?of (?:it|them)\b", "turn it into",
                   TEXT, "makes a page of it", "makes use of it"),
    "made smooth": (r"\bmade smooth\b", "smoothed", TEXT, "the signal made smooth", "smooth"),
    "means nothing": (r"\bmeans? nothing here\b", "unknown; expected", TEXT,
                      "column x means nothing here", "means something"),
    "mend": (r"\bmend(?:s|ed|ing)?\b", "fix", TEXT, "mend the seam", "amend; recommend"),
    "nobody": (r"\b(?:nobody|somebody|everybody|anybody|whoever|whomever)\b",
               "no vehicle; the caller", TEXT, "nobody in front", "no body in front"),
    "not there": (r"\b(?:is|are|was|were) not there\b|\bnot there yet\b|\b(?:is|are) there[.,;:)]",
                  "(not) supported; exists", TEXT, "loops are not there yet", "there are loops"),
    "of the user's own": (r"\bof (?:one's|the user's|the caller's) own\b", "user-defined", TEXT,
                          "laws of the user's own", "a folder of its own"),
    "once more": (r"\bonce more\b", "again", TEXT, "tried once more", "more than once"),
    "own car": (r"(?<!its\s)(?<!their\s)(?<!your\s)(?<!'s\s)(?<!s'\s)\bown (?:car|speed|lane|vehicle)\b"
                r"|\b(?:the|an) own\b", "ego vehicle; the car's own", TEXT,
                "of the own car", "its own lane"),
    "perhaps": (r"\bperhaps\b", "may", TEXT, "perhaps later", "it may"),
    "put right": (r"\bput right\b", "corrected", TEXT, "misprints put right", "put to the right"),
    # "refused" between quotes is the kind of a message of the studio's protocol
    "refuse": (r"(?!(?<=[\"'`])refused\\?[\"'`])\brefus(?:e|es|ed|al|als|ing)\b", "reject", TEXT,
               "it is refused", 'kind: "refused"'),
    "some 30": (r"\bsome (?:\d|(?:hundreds?|thousands?|tenths?|hundredths?)\b)", "about; a few", TEXT,
                "makes some 30 kB", "some of 30"),
    "taken back": (r"\b(?:takes?|taken|took|taking) (?:(?:it|them|an? \w+) )?back\b(?! to)",
                   "undone; withdrawn", TEXT, "a step is taken back", "back to the start"),
    "thrice": (r"\b(?:thrice|thrifty|thriftier|traffics)\b", "three times; less fuel", TEXT,
               "written thrice", "three times"),
    "wanted": (r"\bwanted\b", "desired; expected", TEXT, "the wanted gap", "the desired gap"),
    "way of rolling": (r"\bway (?:of rolling|in r\b|to build)", "relaxation length; distance", TEXT,
                       "way of rolling to build up force", "a way to do it"),
    "who for cars": (r"\bwho (?:may|can) touch\b|\bwho is (?:in front|heard|hit|listened to|lost)\b"
                     r"|\bwho drives (?:it|in front|where|with)\b|\b(?:touch|in front of|to|tells) whom\b",
                     "which vehicle", TEXT, "who may touch whom", "engineers who may"),
    "who for things": (r"\b(?:for|by|to|of) who (?:is|has|wants|shows)\b", "what; which", TEXT,
                       "for who shows it", "who is it for"),
    "wish": (r"\bwish(?:es|ed|ing)?\b", "desired value; command", TEXT, "what it wishes", "whish"),
    "most in tables": (r"(?:^|[ ,(])(?:m|s|g|N|kN|J|rad|m/s2?|m/s\^2|m/s3|1/s), (?:most|least)\b",
                       "max; min", TEXT, "m/s2, most", "most of it"),
    # names
    "most": (r"_(?:most|least)(?!_squares)(?:_|$)|(?:^|_)(?:most|least)_(?!squares)", "max, min", ("names",),
             "speed_most", "dense_least_squares"),
    "go_on": (r"(?:^|_)(?:go_on|goes_on|gone_on)(?:_|$)", "resume", ("names",), "go_on", "good"),
    "anew in names": (r"(?:^|_)anew(?:_|$)", "again", ("names",), "written_anew", "a_newer"),
    "books in names": (r"(?:^|_)books(?:_|$)", "balance, energy", ("names",), "sample_books", "bookmark"),
    "refuse in names": (r"(?!^refused$)(?:^|_)refus(?:e|es|ed|al|als)(?:_|$)", "reject", ("names",),
                        "is_refused", "reject"),
    "wish in names": (r"(?:^|_)wish(?:es|ed)?(?:_|$)", "desired, command", ("names",),
                      "wishes", "whish"),
    "wanted in names": (r"(?:^|_)wanted(?:_|$)", "desired, expected", ("names",), "a_wanted", "want"),
    "mend in names": (r"(?:^|_)mend(?:s|ed)?(?:_|$)", "fix", ("names",), "mend_it", "recommend"),
}
RULES = {  # a space of a pattern is any number of them: phrases may go over lines
    word: (re.compile(pattern.replace(" ", " +"), re.I | re.M), rather, kinds)
    for word, (pattern, rather, kinds, *_) in GLOSSARY.items()
}

# ---- texts of a file -----------------------------------------------------------------------------

C_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)'
    r'|(?P<string>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)'
    r"|(?P<char>'(?:\\.|[^'\\\n])+')|(?P<name>[A-Za-z_]\w*)",
    re.S,
)
TS_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`)'
    r"|(?P<name>[A-Za-z_$][\w$]*)",
    re.S,
)
HASH_TOKEN = re.compile(
    r'(?P<string>"""(?:.*?)"""|"(?:\\.|[^"\\\n])*")|(?P<comment>(?:(?<=\s)|^)#[^\n]*(?:\n[ \t]*#[^\n]*)*)',
    re.S | re.M,
)
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def split_name(name):
    return CAMEL.sub("_", name).lower()


def texts_by(token, text, with_names=True, strings="strings"):
    """(kind, offset, text) of comments, strings and names."""
    seen = set()
    for match in token.finditer(text):
        group = match.lastgroup
        if group == "comment":
            yield "comments", match.start(), match.group()
        elif group == "string":
            yield strings, match.start(), match.group()
        elif group == "name" and with_names and match.group() not in seen:
            seen.add(match.group())
            yield "names", match.start(), split_name(match.group())


def texts_of_page(text):
    """Paragraphs outside of code, of generated tables, whose text is that of strings, and of parts
    that are switched off."""
    at, start, lines, code, off = 0, 0, [], False, False
    for line in [*text.splitlines(keepends=True), "\n"]:
        fence = line.lstrip().startswith("```")
        if "<!-- words off -->" in line or "<!-- table " in line:
            off = True
        if lines and (fence or code or off or not line.strip() or line.startswith(("|", "#", "- "))):
            yield "prose", start, "".join(lines)
            lines = []
        if not (fence or code or off) and line.strip():
            start = start if lines else at
            lines.append(re.sub(r"`[^`\n]*`", lambda m: "`" * len(m[0]), line))
        code ^= fence
        off = off and not ("<!-- words on -->" in line or "<!-- end -->" in line)
        at += len(line)


def texts_of(path, text):
    if path.suffix in (".c", ".h", ".cpp"):
        yield from texts_by(C_TOKEN, text)
    elif path.suffix in (".ts", ".mjs"):
        yield from texts_by(TS_TOKEN, text)
    elif path.suffix == ".md":
        yield from texts_of_page(text)
    elif path.suffix in (".py", ".cmake", ".yaml", ".txt", "") and path.name != "LICENSE":
        yield from texts_by(HASH_TOKEN, text, with_names=False, strings="comments")


def plain(text):
    """One line: without the marks of comments and the seams of literals, which hide phrases."""
    return re.sub(r'"\s*\n\s*"|\n\s*(?://|#|\*)?', lambda m: " " + " " * (len(m[0]) - 1), text)


def hits_of(path, text):
    """(line number, kind, word, the text that hits)."""
    for word, (rule, _, kinds) in RULES.items():
        if "names" in kinds and rule.search(split_name(path.stem.replace("-", "_"))):
            yield 1, "names", word, path.name
    parts = {kind: [] for kind in KINDS}
    for kind, offset, part in texts_of(path, text):
        parts[kind].append((offset, plain(part)))
    joined = {kind: "\n".join(flat for _, flat in parts[kind]) for kind in KINDS}
    for word, (rule, _, kinds) in RULES.items():
        for kind in kinds:
            if not rule.search(joined[kind]):  # one search over all: hardly any file has a hit
                continue
            for offset, match in ((at, m) for at, flat in parts[kind] for m in rule.finditer(flat)):
                line = text.count("\n", 0, offset + match.start()) + 1
                if "// old name" in text.splitlines()[line - 1]:
                    continue
                yield line, kind, word, re.sub(r"\s+", " ", match.group()).strip()


# ---- the tree ------------------------------------------------------------------------------------

SKIPPED = re.compile(
    r"^(web/dist|src/base/renamed\.c|tests/\w+/test_renamed\.c|web/package|THIRD_PARTY|LICENSE|tests/words|tests/fuzz/corpus|schema/|tests/data/"
    r"|tests/golden/.*txt|scenarios/.*\.(dat|par|txt)|models/.*\.dat)"
)
READ = (".c", ".h", ".cpp", ".ts", ".mjs", ".md", ".py", ".cmake", ".yaml")


def files_of(root):
    done = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    names = done.stdout.splitlines() or [str(p.relative_to(root)) for p in root.rglob("*")]
    for name in sorted(names):
        path = root / name
        script = name.startswith("scripts/") or name in ("Makefile", ".ci/run")
        if path.is_file() and not SKIPPED.search(name) and (script or path.suffix in READ
                                                            or path.name == "CMakeLists.txt"):
            yield name


def hits_in(root):
    """(file, line, kind, word, text) of the whole tree."""
    for name in files_of(root):
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        for hit in hits_of(Path(name), text):
            yield name, *hit


def read_budget(path):
    rows = (line.split() for line in path.read_text().splitlines() if not line.startswith("#"))
    return {kind: int(count) for kind, count in rows}


def write_budget(path, now):
    old = read_budget(path) if path.exists() else {}
    path.write_text(
        "# Hits of tests/words.py that are left, by kind of text. The numbers may only fall:\n"
        "# tests/words.py --write lowers them.\n"
        + "".join(f"{kind} {min(now[kind], old.get(kind, now[kind]))}\n" for kind in KINDS)
    )


def compare(path, now):
    if not path.exists():
        return [f"{path} does not exist"]
    budget = read_budget(path)
    return [
        f"{kind}: {now[kind]} hits, {budget.get(kind, 0)} allowed; see words.py --list"
        for kind in KINDS
        if now[kind] > budget.get(kind, 0)
    ]


# ---- self-test -----------------------------------------------------------------------------------

SAMPLES = [  # file, text, hits as (line, kind, word)
    ("a.c", "// one row a\n// car\nint x;", [(1, "comments", "a for per")]),
    ("a.c", 'f("it goes "\n  "on here");', [(1, "strings", "go on")]),
    ("a.c", "int speed_most, SPEED_MOST; // most\nint speed_most;", [(1, "names", "most")] * 2),
    ("a.c", "char *x = \"// anew\"; // refused", [(1, "strings", "anew"), (1, "comments", "refuse")]),
    ("a_most.c", "", [(1, "names", "most")]),
    ("a.ts", "const gapMost = `waited in vain`;", [(1, "names", "most"), (1, "strings", "in vain")]),
    ("a.md", "a wish\n```c\nwish\n```\n`wish`\n<!-- words off -->\nwish\n<!-- words on -->\nwish",
     [(1, "prose", "wish"), (9, "prose", "wish")]),
    ("a.md", "one row a\ncar\n\none row a\n\ncar", [(1, "prose", "a for per")]),
    ("a.md", "<!-- table wishes -->\nwish\n<!-- end -->\nwish", [(4, "prose", "wish")]),
    ("a.c", '// answers "refused"\nf("{\\"kind\\": \\"refused\\"}", "refused", "refused it");',
     [(2, "strings", "refuse")]),
    ("a.py", '"""It is mended."""\nx = 1  # nobody\n', [(1, "comments", "mend"), (2, "comments", "nobody")]),
    ("a.yaml", "a: 1 # the books say\n", [(1, "comments", "books")]),
    ("a.c", "// ten rows of a car, max speed, rejected; three times a second\nint max_speed;", []),
]  # fmt: skip


def self_test():
    failed = []
    for word, (_, _, kinds, bad, good) in GLOSSARY.items():
        rule = RULES[word][0]
        if not rule.search(bad):
            failed.append(f"{word}: does not find {bad!r}")
        if rule.search(good):
            failed.append(f"{word}: finds {good!r}")
    for name, text, expected in SAMPLES:
        got = [hit[:3] for hit in hits_of(Path(name), text)]
        if sorted(got) != sorted(expected):
            failed.append(f"{name} {text!r}: {got}, expected {expected}")
    with tempfile.TemporaryDirectory() as folder:
        budget = Path(folder) / "budget.txt"
        write_budget(budget, Counter(prose=3, names=5))
        write_budget(budget, Counter(prose=2, names=9))  # lowers one, does not raise the other
        if read_budget(budget) != {"prose": 2, "strings": 0, "comments": 0, "names": 5}:
            failed.append(f"budget: {read_budget(budget)}")
        if compare(budget, Counter(prose=2, names=5)) or len(compare(budget, Counter(prose=3))) != 1:
            failed.append("budget: the comparison is wrong")
    for message in failed:
        print(f"self-test: {message}")
    print(f"words: {len(GLOSSARY)} words, {len(SAMPLES)} samples, {len(failed)} wrong")
    return 1 if failed else 0


# ---- all -----------------------------------------------------------------------------------------


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    root = Path(__file__).resolve().parents[1]
    if arguments and not arguments[0].startswith("--"):
        root = Path(arguments.pop(0)).resolve()
    hits = list(hits_in(root))
    now, budget = Counter(hit[2] for hit in hits), root / "tests/words_budget.txt"
    if arguments[:1] == ["--list"]:
        for name, line, _, word, text in hits:
            if len(arguments) < 2 or arguments[1] == word:
                print(f"{name}:{line}: {text} -> {RULES[word][1]}")
        return 0
    if arguments == ["--files"]:
        for name, count in Counter(hit[0] for hit in hits).most_common():
            print(f"{count:6} {name}")
        return 0
    if arguments == ["--write"]:
        write_budget(budget, now)
        return 0
    if arguments:
        print(__doc__)
        return 2
    words = Counter(hit[3] for hit in hits)
    for word in GLOSSARY:
        print(f"{words[word]:6} {word} -> {RULES[word][1]}")
    print(", ".join(f"{kind} {now[kind]}" for kind in KINDS), f"= {len(hits)} hits")
    messages = compare(budget, now)
    for message in messages:
        print(message)
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
