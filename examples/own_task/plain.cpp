// The first rung: features, loss and two searches give the structural SVM, with every solver for it.
#include "examples/own_task/event_task.h"
#include "examples/own_task/train.h"

int main(int argc, char** argv) {
  return train_and_test(EventTask(), recordings<EventTask>(60, 1), recordings<EventTask>(200, 2), argc, argv);
}
