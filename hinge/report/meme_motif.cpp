#include "hinge/report/meme_motif.h"

#include <fmt/format.h>

namespace hinge {

std::string meme_motif(const Profile& profile, const std::string& name) {
  std::string text = fmt::format("MEME version 4\n\nALPHABET= {}\n\n", profile.letters);
  if (profile.letters.size() == 4) text += fmt::format("strands: {}\n\n", profile.both_strands ? "+ -" : "+");
  text += "Background letter frequencies\n";
  for (std::size_t a = 0; a < profile.letters.size(); ++a)
    text += fmt::format("{}{} {:.6f}", a > 0 ? " " : "", profile.letters[a], profile.background[a]);
  text += fmt::format("\n\nMOTIF {}\nletter-probability matrix: alength= {} w= {} nsites= {} E= 0\n", name,
                      profile.letters.size(), profile.counts.size(), profile.sites);
  for (std::size_t j = 0; j < profile.counts.size(); ++j) {
    for (double share : profile.shares(j, 1)) text += fmt::format(" {:.6f}", share);
    text += '\n';
  }
  return text;
}

}  // namespace hinge
