#!/usr/bin/env python3
"""Makes the corpora of novels and speeches that first_words.py reads, from public git repositories.

    python3 benches/reading/books_and_speeches.py CLONES INTO [AUSTEN]

CLONES has clones of github.com/COST-ELTeC/ELTeC-deu and ELTeC-fra, github.com/sevenbanisch/bundestagsreden and
github.com/martin-martin/sotu-speeches, bare or not, in directories of these names. Writes to the directory INTO

    novels_de.jsonl, novels_fr.jsonl   the first 20 novels of level1 of ELTeC, their bodies' paragraphs, in
                                       pieces of 500 words
    bundestag.jsonl                    the speeches of 50 words and more of the first 25 sessions in
                                       parser/data_19
    messages.jsonl                     the messages in speeches, in pieces of 400 words
    austen.jsonl                       the texts (*.txt) in the directory AUSTEN, such as those of the R package
                                       janeaustenr, in pieces of 500 words
"""

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

TEI = "{http://www.tei-c.org/ns/1.0}"
NOVELS, SESSIONS = 20, 25
#: Words of a piece of a book and of a message.
OF_BOOK, OF_MESSAGE = 500, 400
#: Words of the shortest speech and the shortest last piece.
SHORTEST, SHORTEST_PIECE = 50, 100


def git(clone, *arguments):
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


def files_of(clone, folder, suffix):
    """(path, content) of the files in a folder of the last commit whose names end so."""
    listed = git(clone, "ls-tree", "-z", "--name-only", "HEAD", f"{folder}/").decode()
    for name in listed.split("\0"):
        if name.endswith(suffix):
            yield Path(name), git(clone, "show", f"HEAD:{name}")


def pieces(source, text, size):
    """(key, text, source) of each piece of a text."""
    words = text.split()
    for start in range(0, len(words), size):
        if len(words) - start >= SHORTEST_PIECE:
            yield f"{source}#{start // size}", " ".join(words[start : start + size]), source


def novels(clone):
    for path, content in islice(files_of(clone, "level1", ".xml"), NOVELS):
        paragraphs = ElementTree.fromstring(content).find(f".//{TEI}body").iter(f"{TEI}p")
        text = "\n".join("".join(each.itertext()) for each in paragraphs)
        yield from pieces(path.stem, text, OF_BOOK)


def speeches(clone):
    for path, content in islice(files_of(clone, "parser/data_19", ".xml"), SESSIONS):
        for speech in ElementTree.fromstring(content).iter("rede"):
            # The paragraph of the class "redner" names the speaker.
            spoken = [each for each in speech.iter("p") if each.get("klasse") != "redner"]
            words = " ".join("".join(each.itertext()) for each in spoken).split()
            if len(words) >= SHORTEST:
                yield speech.get("id"), " ".join(words), path.stem


def messages(clone):
    for path, content in files_of(clone, "speeches", ".txt"):
        yield from pieces(path.name, content.decode(), OF_MESSAGE)


def books(directory):
    for file in sorted(directory.glob("*.txt")):
        yield from pieces(file.stem, file.read_text(), OF_BOOK)


def write(path, documents):
    with open(path, "w") as file:
        for key, text, source in documents:
            line = {"id": key, "text": text, "source": source}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: books_and_speeches.py CLONES INTO [AUSTEN]")
    clones, into, *austen = map(Path, sys.argv[1:])
    write(into / "novels_de.jsonl", novels(clones / "ELTeC-deu"))
    write(into / "novels_fr.jsonl", novels(clones / "ELTeC-fra"))
    write(into / "bundestag.jsonl", speeches(clones / "bundestagsreden"))
    write(into / "messages.jsonl", messages(clones / "sotu-speeches"))
    for directory in austen:
        write(into / "austen.jsonl", books(directory))


if __name__ == "__main__":
    main()
