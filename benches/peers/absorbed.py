"""absorbed.py: what fixest's port pyfixest makes of the thirty documents of
crates/topoi-core/src/effects/tests/against_r.rs, with absorbed factors and errors clustered in two ways."""
import pandas as pd, pyfixest as pf
i = pd.Series(range(30))
d = pd.DataFrame({'a2': (i*i % 7 % 3 == 1)*1., 'a3': (i*i % 7 % 3 == 2)*1., 'x': i*11 % 37, 'g': i//4, 'h': i % 5, 'w': 1 + i % 4,
                  'r': (i*13 % 17)/40 + (i//4) % 3/10})
def show(what, m):
    print(what, [f'{v:.13g}' for v in m.coef()], [f'{v:.13g}' for v in m.se()], [f'{v:.13g}' for v in m.pvalue()])
show('two-way', pf.feols('r ~ a2 + a3 + x', d, vcov={'CRV1': 'g+h'}))
show('one absorbed, hetero', pf.feols('r ~ a2 + a3 + x | h', d, vcov='hetero'))
show('one absorbed, clusters', pf.feols('r ~ a2 + a3 + x | h', d, vcov={'CRV1': 'g'}))
show('nested', pf.feols('r ~ a2 + a3 + x | g', d, vcov={'CRV1': 'g'}))
show('two absorbed', pf.feols('r ~ a2 + a3 + x | g + h', d, vcov='hetero'))
show('two absorbed, weights, clusters', pf.feols('r ~ a2 + a3 + x | g + h', d, vcov={'CRV1': 'h'}, weights='w'))
