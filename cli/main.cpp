// hinge: learn structured predictors from data files.
#include "hinge/command_line.h"

int main(int argc, char** argv) { return hinge::command_line(argc, argv); }
