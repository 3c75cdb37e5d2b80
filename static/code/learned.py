# Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers
# https://arxiv.org/abs/1810.04805
# The table is learned: there is no formula. Save the figure “Position × dimension” as .npy (under “Download”), or take
# the weights of the model itself: of a model of the transformers package with absolute positions,
# embeddings.position_embeddings.weight.
#? numpy
table = np.load("placewise-heatmap-learned.npy")  # (position, dimension): is added to the embeddings
#.
#? torch
import numpy as np

table = torch.from_numpy(np.load("placewise-heatmap-learned.npy"))  # (position, dimension): is added to the embeddings
#.
print(table)
