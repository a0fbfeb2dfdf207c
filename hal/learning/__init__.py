"""Learns a new board's profile: a person touches cells and looks at lights when asked.

Owns the questions and the draft of the profile. Must not know how questions are shown.
"""

from hal.learning.learner import DraftError, Learner, merged
from hal.learning.questions import Draft, LearnStep, Lit, Prompt
