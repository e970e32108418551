/* How long CRFsuite's library takes to read a file and to label it, as one line of JSON: what bench/tagging_speed does with Hinge.

       crfsuite_tagging MODEL FILE PASSES

   A pass reads the file with CRFsuite's own parser, looking attributes up in the model, and keeps all sequences; then labels
   each by Viterbi and counts what is right. Seconds of every pass, in order: the first is the cold one. */
#include <crfsuite.h>
#include <iwa.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  crfsuite_instance_t* all;
  int size, room;
} sequences_t;

static void keep(sequences_t* sequences, crfsuite_instance_t* sequence) {
  if (sequences->size == sequences->room) {
    sequences->room = 2 * sequences->room + 64;
    sequences->all = realloc(sequences->all, sequences->room * sizeof(crfsuite_instance_t));
  }
  sequences->all[sequences->size++] = *sequence; /* with what it points to */
  crfsuite_instance_init(sequence);
}

static sequences_t read_file(const char* path, crfsuite_dictionary_t* attributes, crfsuite_dictionary_t* labels) {
  sequences_t sequences = {NULL, 0, 0};
  crfsuite_instance_t sequence;
  crfsuite_item_t item;
  crfsuite_attribute_t attribute;
  int label = -1;
  FILE* file = fopen(path, "r");
  iwa_t* parser = iwa_reader(file);
  const iwa_token_t* token;
  crfsuite_instance_init(&sequence);
  while ((token = iwa_read(parser)) != NULL) {
    if (token->type == IWA_BOI) {
      label = -1;
      crfsuite_item_init(&item);
    } else if (token->type == IWA_ITEM && label < 0) {
      label = labels->to_id(labels, token->attr);
      if (label < 0) label = labels->num(labels);
    } else if (token->type == IWA_ITEM) {
      const int id = attributes->to_id(attributes, token->attr);
      if (id < 0) continue;
      crfsuite_attribute_set(&attribute, id, token->value && *token->value ? atof(token->value) : 1.0);
      crfsuite_item_append_attribute(&item, &attribute);
    } else if (token->type == IWA_EOI) {
      crfsuite_instance_append(&sequence, &item, label);
      crfsuite_item_finish(&item);
    } else if (!crfsuite_instance_empty(&sequence)) {
      keep(&sequences, &sequence);
    }
  }
  if (!crfsuite_instance_empty(&sequence)) keep(&sequences, &sequence);
  iwa_delete(parser);
  fclose(file);
  return sequences;
}

static double now(void) { return clock() / (double)CLOCKS_PER_SEC; }

static void print_list(const char* name, const double* values, int size) {
  printf("\"%s\": [", name);
  for (int i = 0; i < size; ++i) printf("%s%.6f", i ? ", " : "", values[i]);
  printf("]");
}

int main(int argc, char** argv) {
  crfsuite_model_t* model = NULL;
  crfsuite_tagger_t* tagger = NULL;
  crfsuite_dictionary_t *attributes = NULL, *labels = NULL;
  if (argc != 4 || crfsuite_create_instance_from_file(argv[1], (void**)&model)) {
    fprintf(stderr, "usage: crfsuite_tagging MODEL FILE PASSES\n");
    return 2;
  }
  const int passes = atoi(argv[3]);
  double* reading = calloc(passes, sizeof(double));
  double* tagging = calloc(passes, sizeof(double));
  model->get_labels(model, &labels);
  model->get_attrs(model, &attributes);
  model->get_tagger(model, &tagger);
  int right = 0, tokens = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const double start = now();
    sequences_t sequences = read_file(argv[2], attributes, labels);
    const double middle = now();
    right = tokens = 0;
    for (int i = 0; i < sequences.size; ++i) {
      crfsuite_instance_t* sequence = &sequences.all[i];
      int* found = calloc(sequence->num_items, sizeof(int));
      floatval_t score;
      tagger->set(tagger, sequence);
      tagger->viterbi(tagger, found, &score);
      for (int t = 0; t < sequence->num_items; ++t) right += found[t] == sequence->labels[t];
      tokens += sequence->num_items;
      free(found);
    }
    reading[pass] = middle - start;
    tagging[pass] = now() - middle;
    for (int i = 0; i < sequences.size; ++i) crfsuite_instance_finish(&sequences.all[i]);
    free(sequences.all);
  }
  printf("{\"tokens\": %d, \"accuracy\": %.6f, ", tokens, (double)right / tokens);
  print_list("read_seconds", reading, passes);
  printf(", ");
  print_list("tag_seconds", tagging, passes);
  printf("}\n");
  return 0;
}
