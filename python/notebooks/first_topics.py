# %% [markdown]
# # From a DataFrame to effects
#
# The sample texts of topoi: 256 short essays on eight subjects. A line of this notebook takes any other DataFrame as well.

# %%
import pandas as pd
import topoi

essays = pd.read_json("../../sample_corpora/eight_subjects.jsonl", lines=True)
essays["words"] = essays.text.str.split().str.len()
essays.head(3)

# %% [markdown]
# ## Into a store
#
# The store is one SQLite file. Columns that are no text become fields, of the kind that their type says.

# %%
store = topoi.open("essays.db")
corpus = store.corpus("essays").add(essays)
corpus

# %% [markdown]
# ## How many topics?
#
# A run for each K, and a recommendation with its reasons.

# %%
sweep = corpus.sweep(k=[4, 8, 12])
sweep

# %%
sweep.plot("npmi")

# %% [markdown]
# ## Topics
#
# The same seed gives the same topics, bit for bit, on any machine.

# %%
run = corpus.run(k=8, seed=1)
run

# %% [markdown]
# Before a topic has a name, read what it is about: its words, and passages of its clearest documents.

# %%
cooking = run.topics().words.str.contains("butter").idxmax()
for quote in run.quotes(topic=cooking, n=2).itertuples():
    print(f"{quote.key}, {quote.title} ({quote.proportion:.0%}): {quote.passage}\n")

# %%
run.label({cooking: "cooking"})
run.documents(topic="cooking", n=5)

# %% [markdown]
# ## Arrays
#
# The proportions of topics in documents, and of words in topics, as DataFrames.

# %%
run.theta.round(3).head(3)

# %%
run.theta.to_numpy().sum(axis=1)[:5], run.beta.shape

# %% [markdown]
# ## What depends on what
#
# A regression of the topic's share on the subject and the length of an essay, with errors that are robust to documents that
# vary differently.

# %%
effects = run.effects("~ C(subject, ref='chess') + words")
effects.summary(topic="cooking")[["term", "estimate", "error", "low", "high", "p"]].round(4)

# %%
effects.contrast(topic="cooking", subject=["cooking", "gardening"])[["at", "estimate", "low", "high", "p"]]

# %%
run.by("subject").plot("cooking")

# %% [markdown]
# ## For the paper
#
# The paragraph on the run, with what to cite; and the commands that make it again, as a shell script.

# %%
print(run.methods())

# %%
print(run.script().split("\n\n", 1)[1])
