package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.burst.link.LinkModel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

class BurstOptionsTest {
  @Test
  void shouldRunAllPeersBothWaysUnlessTold() {
    BurstOptions options = parse("");
    assertEquals(List.of(BurstShape.values()), options.shapes());
    assertEquals(
        Arrays.stream(BurstKind.values()).filter(kind -> kind != BurstKind.FLOOR).toList(),
        options.kinds());
    assertEquals(
        List.of(BurstKind.MILLRACE, BurstKind.TCP, BurstKind.FLOOR),
        parse("--against tcp,floor").kinds());
    assertEquals(new LinkModel(100_000_000, 9_000), options.link());
  }

  @Test
  void shouldReadRatesAndSizesWithUnits() {
    BurstOptions options =
        parse("--rate 0.5gbit --queue 256KiB --mtu 1500 --size 4096,8KiB --against none");
    assertEquals(new LinkModel(500_000_000, 1_500), options.link());
    assertEquals(262_144, options.queueBytes);
    assertEquals(List.of(4_096, 8_192), options.sizes);
    assertEquals(List.of(BurstKind.MILLRACE), options.kinds());
  }

  @Test
  void shouldSendSmallRequestsInThePaxosPresetUnlessTold() {
    assertEquals(List.of(1_024), parse("--preset paxos").sizes);
    assertEquals(List.of(100), parse("--preset paxos --size 100").sizes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--transfers 0",
        "--peers 3 --processes 4",
        "--rate fast",
        "--rate 100",
        "--queue 9000",
        "--queue 3GiB",
        "--size 3",
        "--shape round",
        "--against quic",
        "--loss 100",
        "--step-loss 100",
        "--preset raft",
        "--csv file",
        "--preset paxos --group 301",
        "--preset paxos --in-flight -1",
        "--nothing"
      })
  void shouldSayInOneLineWhatItCannotObey(String line) {
    ParameterException refused = assertThrows(ParameterException.class, () -> parse(line));
    assertEquals(1, String.valueOf(refused.getMessage()).lines().count());
  }

  @Test
  void shouldSharePeersAndTransfersEvenly() {
    BurstOptions options = parse("--peers 10 --processes 4 --transfers 23");
    assertEquals(0, options.firstPeer(0));
    assertEquals(10, options.firstPeer(4));
    int transfers = 0;
    for (int process = 0; process < 4; process++) {
      int peers = options.firstPeer(process + 1) - options.firstPeer(process);
      assertTrue(peers == 2 || peers == 3);
      BurstJob job = new BurstJob(1, 23, 10, options.firstPeer(process), 5, 6, 7, 8, 9);
      assertEquals(job, BurstJob.parse(job.format()));
      for (int i = 0; i < peers; i++) {
        transfers += job.share(i);
      }
    }
    assertEquals(23, transfers);
  }

  @Test
  void shouldExpectLongerOfALinkThatIsSlowForATime() {
    double usualNs = (double) parse("").idealNs(16_384);
    double steppedNs = (double) parse("--step").idealNs(16_384);
    assertEquals(9 / 7.0, steppedNs / usualNs, 1e-6);
  }

  @Test
  void shouldTellTheLinkToTheNodesOfEachPlannedShape() {
    List<BurstOptions> shapes = parse("--preset shapes --set a.b=c").plan();
    assertEquals(10, shapes.size());
    assertEquals(
        List.of(
            "millrace.nic.bandwidth = \"100000000 bit/s\"",
            "millrace.nic.queue = 65536 B",
            "a.b=c"),
        shapes.getFirst().settings);
    assertEquals(List.of(BurstKind.MILLRACE), shapes.getFirst().kinds());
    assertEquals(List.of(1, 8, 1), ShapesBurst.groups(shapes).stream().map(List::size).toList());
  }

  @Test
  void shouldLetAGivenOptionWinOverThePlan() {
    List<BurstOptions> shapes = parse("--preset shapes --peers 8 --processes 2").plan();
    assertTrue(shapes.stream().allMatch(shape -> shape.peers == 8));
    assertEquals(List.of(9, 1), ShapesBurst.groups(shapes).stream().map(List::size).toList());
  }

  private static BurstOptions parse(String line) {
    return BurstOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
  }
}
