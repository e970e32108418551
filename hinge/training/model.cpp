#include "hinge/training/model.h"

#include <nlohmann/json.hpp>

namespace hinge {
namespace {

double trained_temperature(const Model& model) { return model.summary->value("latent_temperature", 0.0); }

}  // namespace

void Model::decode_as_trained() { task->decode(task->trained_decoding(trained_temperature(*this))); }

void Model::decode(const std::string& name) {
  Decoding decoding = Decoding::named(name);
  const double trained = trained_temperature(*this);
  if (name == "marginal-map" && trained > 0) decoding.latent_temperature = trained;
  task->decode(decoding);
}

}  // namespace hinge
