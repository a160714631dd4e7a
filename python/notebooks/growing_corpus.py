# %% [markdown]
# # A corpus that grows
#
# Texts arrive in batches; the topics are kept, under the same numbers and labels, and a batch costs what has changed.

# %%
import pandas as pd
import topoi

essays = pd.read_json("../../sample_corpora/eight_subjects.jsonl", lines=True).sort_values("id")
first, later = essays[essays.subject != "sailing"].iloc[::2], essays
len(first), len(later)

# %%
store = topoi.open("growing.db")
corpus = store.corpus("essays").add(first)
run = corpus.run(k=8)
run.topics(n=6)[["topic", "document_share", "words"]].round(3)

# %% [markdown]
# All essays, of which half are there already: they are known by their `id`, and only the others are added.

# %%
corpus.add(later)
corpus.last_ingest

# %% [markdown]
# Half of the later essays are about subjects that the topics know, and those on sailing about one that none is about.
# `update` continues the run, and says which documents its topics do not explain and which words rise.

# %%
updated = run.update()
updated

# %%
changes = updated.changes
{"topics that are the same": sum(topic["is_same"] for topic in changes["topics"]),
 "unexplained share of new documents": round(changes["news"]["unexplained_share"], 3),
 "rising words": [word["word"] for word in changes["news"]["rising_words"][:8]]}

# %% [markdown]
# New documents that should not be added can be asked about, too.

# %%
updated.infer(["The rook and the bishop hold the seventh rank, and the king has no flight square."]).round(2)

# %% [markdown]
# `nightly` does both, adding and updating, in one call: a line of cron, or the last cell of a notebook that is run every day.

# %%
night = corpus.nightly(pd.DataFrame({"id": ["new-1"], "text": ["The ketch lay at anchor in the bay, her sails furled, waiting for the tide."]}))
night.number, night.metrics["documents_used"]
