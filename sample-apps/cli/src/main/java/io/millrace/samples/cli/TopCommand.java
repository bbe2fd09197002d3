package io.millrace.samples.cli;

import io.millrace.samples.top.Scraper;
import io.millrace.samples.top.TopScreen;
import io.millrace.samples.top.WatchedNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the activity of nodes, again each second, until SIGINT or SIGTERM. */
@Command(
    name = "top",
    description = {
      "Shows rates, latencies, losses and troubles of nodes, each second, until SIGINT or SIGTERM.",
      "The nodes must have been started with --metrics. Ctrl-C ends the command."
    })
final class TopCommand extends Subcommand {
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final Duration LONGEST_ONCE = Duration.ofSeconds(5);
  private static final long REFRESH_MS = 1_000;
  private static final long LOOK_AGAIN_MS = 100;
  private static final int MOST_LOOKS = 100;
  private static final String FROM_THE_TOP = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  @Parameters(
      paramLabel = "HOST:PORT[,HOST:PORT...]",
      description = "Addresses at which the nodes serve their metrics.")
  private String addressList = "";

  @Option(
      names = "--once",
      description = {"Print the figures of one second and end; with 1 if a node did not answer."})
  private boolean once;

  TopCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws InterruptedException {
    List<String> addresses = LocalAddress.list("HOST:PORT", List.of(addressList.split(",", -1)));
    try (StopSignal stop = StopSignal.install();
        Scraper scraper = new Scraper(addresses, once ? LONGEST_ONCE : LONGEST)) {
      if (!once) {
        follow(scraper, stop);
        return ExitCode.DONE;
      }
      scraper.scrape();
      for (int i = 0; i < MOST_LOOKS && isWaiting(scraper); i++) {
        if (stop.comesWithin(LOOK_AGAIN_MS)) {
          break;
        }
        scraper.scrape();
      }
      print(scraper);
      return scraper.nodes().stream().allMatch(WatchedNode::isKnown)
          ? ExitCode.DONE
          : ExitCode.FAILED;
    }
  }

  private static boolean isWaiting(Scraper scraper) {
    return scraper.nodes().stream().anyMatch(node -> !node.isKnown() && !node.isDown());
  }

  private void follow(Scraper scraper, StopSignal stop) throws InterruptedException {
    do {
      scraper.scrape();
      print(scraper);
    } while (!stop.comesWithin(REFRESH_MS));
  }

  private void print(Scraper scraper) {
    if (isJson()) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("nodes", scraper.nodes().stream().map(WatchedNode::json).toList());
      JsonLine.print(screen().out(), report);
      return;
    }
    boolean isLive = screen().isLive() && !once;
    List<String> lines = new TopScreen(screen().isLive()).lines(scraper.nodes());
    StringBuilder text = new StringBuilder(isLive ? FROM_THE_TOP : "");
    for (String line : lines) {
      text.append(line).append(isLive ? REST_OF_LINE : "").append('\n');
    }
    if (isLive) {
      text.append(REST_OF_SCREEN);
    } else if (!once) {
      text.append('\n');
    }
    screen().out().print(text);
    screen().out().flush();
  }
}
