package io.millrace.samples.bench.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReferenceRunTest {
  private static final int SMALL_BYTES = 200_000;
  private static final double LEAST_USE = 0.8;
  private static final double LEAST_PUBLISHED_USE = 0.988;
  private static final double MOST_RETRANSMISSIONS = 0.01;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) throws Exception {
    return ReferenceCommand.run(
        List.of(args), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private static ReferenceCase named(String name) {
    return ReferenceCase.ALL.stream()
        .filter(incast -> incast.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A first round trip is a twentieth of this time. */
  @Test
  void shouldUseTheLinkFromTheFirstGrantsOn() throws Exception {
    ReferenceRow row = ReferenceRun.of(named("15x2MB").withBytes(SMALL_BYTES), "");

    String figures = ReferenceReport.figures(row).toString();
    assertEquals(0, row.link().lost, figures);
    assertTrue(row.use() >= LEAST_USE && row.use() <= 1, figures);
    assertTrue(row.retransmissionsPerNew() <= MOST_RETRANSMISSIONS, figures);
    assertTrue(row.smallNs(0.5) >= 2 * ReferenceCase.DELAY_NS, figures);
  }

  @Test
  void shouldRefuseAnUnknownIncast() throws Exception {
    assertEquals(2, run("--only", "16x2MB"));

    assertEquals(1, err.toString(UTF_8).lines().count());
    assertEquals(0, out.size());
  }

  @Test
  @Tag("soak")
  @Timeout(600)
  void shouldReachThePublishedUse(@TempDir Path directory) throws Exception {
    Path csv = directory.resolve("reference.csv");
    Path plot = directory.resolve("reference.png");

    assertEquals(
        0, run("--only", "127x2MB", "--csv", csv.toString(), "--plot", plot.toString(), "--json"));

    List<String> lines = Files.readAllLines(csv);
    assertEquals(2, lines.size());
    double use = Double.parseDouble(lines.getLast().split(",", -1)[1]);
    assertTrue(use >= LEAST_PUBLISHED_USE, out.toString(UTF_8));
    assertTrue(Files.size(plot) > 0);
  }
}
