#!/usr/bin/env bash
# recipes.sh HINGE FOLDER: trains a tagger of recipe ingredients with that program, into that folder, and shows how well it
# reads lines it has not seen.
set -euo pipefail
hinge=$1 model=$2/recipes.model predicted=$2/recipes.predicted
data=$(dirname "$0")/data

echo "Training on the ingredient lines of examples/data/recipes.train"
"$hinge" train sequence --data "$data/recipes.train" --model "$model" 2>&1
echo
echo "Evaluating on examples/data/recipes.test"
"$hinge" evaluate "$model" --data "$data/recipes.test" 2>&1 | sed '/^label /,$d'

"$hinge" predict "$model" --data "$data/recipes.test" --output "$predicted" 2> /dev/null
echo "Its first lines, as the model reads them (x: not as the truth has it)"
awk -F '\t' '
  NF == 0 { print (wrong ? "  x " : "    ") line (open ? "]" : ""); line = ""; open = wrong = 0; if (++shown == 12) exit; next }
  { if ($2 != $3) wrong = 1
    if ($3 ~ /^I-/ && open) { line = line " " $1; next }
    line = line (open ? "] " : line == "" ? "" : " "); open = $3 != "O"
    line = line (open ? "[" substr($3, 3) " " $1 : $1) }' "$predicted"
