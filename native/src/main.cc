// calib-bench: measures a device and prints JSON Lines; needs no Node.js, so one file can be carried to another machine.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "core/session.h"

namespace {

std::atomic<bool> interrupted{false};

void interrupt(int) { interrupted = true; }

const char* const kUsage =
    "calib-bench [--device cpu|storage|cuda:0|metal] [--plan tiny|quick|full] [--op NAME]… [--budget SECONDS] [--jsonl FILE]\n"
    "            [--threads N] [--seed N] [--folder DIR] [--buffered] [--most-written BYTES] [--points -] [--list]\n"
    "  --list        the points of the plan, measured by nobody\n"
    "  --points -    points from standard input, one a line, as --list prints them in \"text\"\n"
    "  --folder DIR  where storage is measured, in a file without a name [the folder for temporary files]\n"
    "  --most-written BYTES  what a run on storage writes at most [2 GiB less a byte]; more is not taken\n"
    "Exit codes: 0 done, 2 no such device or bad usage, 5 the budget ended it, 130 interrupted.\n";

struct Arguments {
  calib::Options options;
  std::vector<std::string> ops;
  std::string jsonl;
  bool list = false, points = false;
};

double numberOf(const std::string& flag, const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || value < 0) throw calib::Fault(calib::Code::Usage, flag + ": \"" + text + "\" is no number ≥ 0");
  return value;
}

calib::Plan planOf(const std::string& text) {
  if (text == "tiny") return calib::Plan::tiny;
  if (text == "quick") return calib::Plan::quick;
  if (text == "full") return calib::Plan::full;
  throw calib::Fault(calib::Code::Usage, "--plan: \"" + text + "\" is none of tiny, quick, full");
}

Arguments argumentsOf(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i++) {
    const std::string flag = argv[i];
    const auto value = [&]() -> const char* {
      if (i + 1 == argc) throw calib::Fault(calib::Code::Usage, flag + " needs a value");
      return argv[++i];
    };
    if (flag == "--list") arguments.list = true;
    else if (flag == "--buffered") arguments.options.buffered = true;
    else if (flag == "--device") arguments.options.device = value();
    else if (flag == "--plan") arguments.options.plan = planOf(value());
    else if (flag == "--op") arguments.ops.push_back(value());
    else if (flag == "--budget") arguments.options.budget = numberOf(flag, value());
    else if (flag == "--threads") arguments.options.threads = static_cast<int>(numberOf(flag, value()));
    else if (flag == "--seed") arguments.options.seed = static_cast<uint64_t>(numberOf(flag, value()));
    else if (flag == "--most-written") arguments.options.mostWritten = std::min(arguments.options.mostWritten, static_cast<int64_t>(numberOf(flag, value())));
    else if (flag == "--folder") arguments.options.folder = value();
    else if (flag == "--jsonl") arguments.jsonl = value();
    else if (flag == "--points") {
      if (std::strcmp(value(), "-") != 0) throw calib::Fault(calib::Code::Usage, "--points takes - only: points come from standard input");
      arguments.points = true;
    } else throw calib::Fault(calib::Code::Usage, "unknown flag " + flag);
  }
  return arguments;
}

std::vector<calib::Point> pointsOf(std::istream& input) {
  std::vector<calib::Point> points;
  for (std::string line; std::getline(input, line);)
    if (!line.empty()) points.push_back(calib::parsePoint(line));
  if (points.empty()) throw calib::Fault(calib::Code::Usage, "--points: standard input has no point");
  return points;
}

int run(const Arguments& arguments) {
  std::FILE* file = stdout;
  if (!arguments.jsonl.empty() && (file = std::fopen(arguments.jsonl.c_str(), "w")) == nullptr)
    throw calib::Fault(calib::Code::Permission, "--jsonl: " + arguments.jsonl + " cannot be written: " + std::strerror(errno));
  const calib::Sink write = [file](const std::string& line) {
    std::fwrite((line + "\n").data(), 1, line.size() + 1, file);
    std::fflush(file);
  };
  const calib::Ending ending = arguments.list
                                   ? calib::listPoints(arguments.options, arguments.ops, write)
                                   : calib::runSession(arguments.options, arguments.ops,
                                                       arguments.points ? pointsOf(std::cin) : std::vector<calib::Point>{}, write, interrupted);
  if (file != stdout) std::fclose(file);
  return static_cast<int>(ending);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  try {
    if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    return run(argumentsOf(argc, argv));
  } catch (const calib::Fault& fault) {
    std::fprintf(stderr, "%s\n%s", fault.what(), kUsage);
    return 2;
  }
}
