"""What can go wrong, and what it is called here."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

#: What other libraries call an option of the program.
OPTIONS = {
    **dict.fromkeys(("random_state", "random_seed"), "seed"),
    **dict.fromkeys(("n_topics", "num_topics", "nr_topics", "n_components", "n_clusters", "K"), "k"),
    **dict.fromkeys(("stopwords", "stop_word_list"), "stop_words"),
    **dict.fromkeys(("min_df", "no_below"), "min_documents"),
    **dict.fromkeys(("max_df", "no_above"), "max_documents"),
}
#: Commands in messages, and the methods that do the same.
METHODS = [
    (r"`topoi ingest CORPUS PATH` or `topoi demo`", "store.corpus('name').add(texts)"),
    (r"`topoi runs`", "store.runs"),
    (r"`topoi (watch|cancel|resume|update) (\w+)`", r"store.run(\2).\1()"),
    (r"`topoi topics (\w+)`", r"store.run(\1).topics()"),
    (r"`topoi metrics (\w+)`", r"store.run(\1).metrics"),
    (r"`topoi delete (\d+) --yes`", r"store.run(\1).delete()"),
    (r"`topoi left-out ([\w-]+)`", r"store.corpus('\1').left_out()"),
    (r"`topoi terms ([\w-]+) --save NAME` and the rules for it", r"store.corpus('\1').vocabulary('NAME', min_documents=5)"),
    (r"`topoi import FILE --corpus ([\w-]+) --from embeddings`", r"store.corpus('\1').add_vectors(vectors)"),
    (r"`topoi sql --write`", "store.topoi('sql', query, write=True)"),
    (r"topoi stop-words lists the languages", "store.topoi('stop-words') lists the languages"),
    (r"( the text of another under another key, .*)", r"\1; df.drop_duplicates('text') leaves them out"),
    (r"\bsql: no such column: (\w+);", r"sql: no such column: \1; a field of documents is fields->>'\1';"),
    (r"schema/README\.md describes the tables", "store.sql('SELECT name, sql FROM sqlite_schema') lists the tables"),
]


class Error(Exception):
    """What the program refused or could not do: one line that says what, where, and what to do.

    A line may name a command, such as ```topoi fields posts --set code=category```: in Python that is
    ``store.topoi("fields", "posts", set="code=category")``.
    """


class Remark(UserWarning):
    """What the program remarked on while it did what it was asked to do."""


def in_python(line: str) -> str:
    """A line of the program with options and methods as they are called here.

    >>> in_python("/tmp/a.svg is there already; give --into another name, or --force to replace it")
    '/tmp/a.svg is there already; give into= another name, or force= to replace it'
    >>> in_python("unexpected argument '--n-topics' found; tip: to pass '--n-topics' as a value; usage: topoi run <CORPUS>")
    'there is no option n_topics=; it is k= here'
    >>> in_python("run 3 was interrupted; `topoi resume 3` continues it")
    'run 3 was interrupted; store.run(3).resume() continues it'
    """
    unknown = re.match(r"unexpected argument '--([\w-]+)' found(?:.*similar argument exists: '--([\w-]+)')?", line)
    if unknown:
        name, similar = unknown[1].replace("-", "_"), unknown[2]
        known = OPTIONS.get(name) or (similar and similar.replace("-", "_"))
        command = re.search(r"usage: \S+ ([a-z-]+)", line)
        remedy = f"it is {known}= here" if known else f"`topoi {command[1] if command else 'help'} --help` lists them"
        return f"there is no option {name}=; {remedy}"
    line = re.sub(r"; (usage: .*)?--help says more$", "", line)
    for pattern, method in METHODS:
        line = re.sub(pattern, method, line)
    # What is left in backquotes is a command for the shell.
    parts = line.split("`")
    parts[::2] = [_FLAG.sub(lambda flag: flag[1].replace("-", "_") + "=", part) for part in parts[::2]]
    return "`".join(parts)


_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*[a-z]|k)\b=?(?: <[^>]*>)?")


def counterparts(kind: str, names: Mapping[str, str]) -> Callable[..., Any]:
    """A ``__getattr__`` that names what does here what is called otherwise in other libraries."""

    def missing(*arguments: Any) -> Any:
        name = arguments[-1]
        remedy = f"; here it is {names[name]}" if name in names else ""
        raise AttributeError(f"{kind} has no attribute {name!r}{remedy}")

    return missing
