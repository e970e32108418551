"""ViennaRNA's folds of minimum free energy, with its own parameters: vienna_folds.py FILE, of names, letters and structures

Prints a line of JSON: the folds in the order of the file, and letters a second of folding and of pair probabilities.
"""

import json
import sys
import time

import RNA


def main(file):
    lines = open(file).read().split("\n")
    sequences = lines[1::3]
    begin = time.process_time()
    folds = [RNA.fold(sequence)[0] for sequence in sequences]
    middle = time.process_time()
    for sequence in sequences:
        compound = RNA.fold_compound(sequence)
        compound.exp_params_rescale(compound.mfe()[1])
        compound.pf()
        compound.bpp()
    end = time.process_time()
    letters = sum(map(len, sequences))
    print(json.dumps({"folds": folds, "letters_a_second": letters / (middle - begin), "letters_a_second_probabilities": letters / (end - middle)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
