"""exports.py TOPOI STORE RUN FIELD: exported shares in statsmodels, beside `topoi effects`. Prints the largest relative
differences."""
import io, subprocess, sys, tempfile
import numpy as np, pandas as pd, statsmodels.formula.api as smf
program, store, run, field = sys.argv[1:5]
def ask(*words):
    return subprocess.run([program, '--store', store, *words], check=True, capture_output=True, text=True).stdout
with tempfile.TemporaryDirectory() as folder:
    ask('export', run, '--to', 'shares', '-o', f'{folder}/shares.csv')
    d = pd.read_csv(f'{folder}/shares.csv').dropna(subset=[field])
fit = smf.ols(f'share_0 ~ C({field})', d).fit(cov_type='HC2')
own = pd.read_csv(io.StringIO(ask('effects', run, f'~ C({field})', '--spread', 'own', '--topic', '0', '-o', 'csv')))
print(f'statsmodels: estimates {np.max(np.abs(own.estimate.values / fit.params.values - 1)):.1e}, '
      f'HC2 {np.max(np.abs(own.error.values / fit.bse.values - 1)):.1e}')
