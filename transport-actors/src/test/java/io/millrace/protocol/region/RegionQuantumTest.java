package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants behind a known link: whole packets for a few holders, and the order of holders. */
class RegionQuantumTest extends RegionPoolFixture {
  private static final int JUMBO = 8_872;
  private static final int BODY = 16_400;
  private static final int BUDGET = 56 * KIB;
  private static final int HOLDERS = 24;
  private static final int PACKET = 1_000;
  private static final int PACKETS = 60;

  private RegionHolder sender(String name, long bytes, int largest, int packet) {
    RegionHolder holder = pool.open(name);
    pool.onPacketSize(holder, packet);
    pool.onDemand(holder, 3, bytes, largest);
    return holder;
  }

  private void limit(int counts, long budget) {
    pool = pool(List.of(counts, counts), 1 << 20, 1 << 20, 0);
    pool.onLink(true);
    pool.onBudget(budget, Long.MAX_VALUE);
  }

  @Test
  void shouldGrantWholeBodiesAndLetOtherHoldersWait() {
    limit(6, BUDGET);
    for (String name : List.of("a", "b", "c", "d", "e")) {
      sender(name, BODY, BODY, JUMBO);
    }
    assertEquals(
        List.of("granted a 6 16400", "granted b 7 16400", "granted c 8 16400", "exhausted d"),
        grant(0).subList(0, 4));
    write(pool.region(6), JUMBO, 1);
    assertEquals(List.of("granted d 9 16400"), grant(1));
  }

  @Test
  void shouldCutLongDemandsBehindWholePackets() {
    limit(6, BUDGET);
    sender("a", K64, K64, JUMBO);
    sender("b", K64, K64, JUMBO);
    int three = 3 * JUMBO;
    assertEquals(List.of("granted a 6 " + three, "granted b 7 " + three), grant(0));
    write(pool.region(6), JUMBO, 1);
    assertEquals(List.of(), grant(1), "a packet is less than a quantum");
    assertEquals(JUMBO, pool.onWritten(pool.region(6), JUMBO, JUMBO, 2));
    assertEquals(List.of("authorised a 6 " + 5 * JUMBO), grant(2));
  }

  @Test
  void shouldGrantAPacketWhereTheBudgetHoldsNoMore() {
    limit(6, 9 * KIB);
    sender("a", BODY, BODY, JUMBO);
    sender("b", BODY, BODY, JUMBO);
    assertEquals("granted a 6 " + JUMBO, grant(0).getFirst());
  }

  @Test
  void shouldEndAllHoldersTogetherOrAFewFirst() {
    List<Integer> fair = completions(false);
    List<Integer> few = completions(true);
    String both = "fair " + fair + ", few " + few;
    assertEquals(HOLDERS * PACKETS, fair.getLast(), both);
    assertEquals(HOLDERS * PACKETS, few.getLast(), both);
    assertTrue(fair.getLast() <= 1.1 * fair.getFirst(), both);
    assertTrue(mean(few) <= 0.6 * mean(fair), both);
  }

  private static double mean(List<Integer> steps) {
    return steps.stream().mapToInt(Integer::intValue).average().orElseThrow();
  }

  /** A link that carries a packet in each step, in the order of the grants. */
  private List<Integer> completions(boolean isFew) {
    limit(HOLDERS, 8 * PACKET);
    pool.serveFew(isFew);
    for (int i = 0; i < HOLDERS; i++) {
      sender("s" + i, PACKETS * PACKET, PACKETS * PACKET, PACKET);
    }
    List<Integer> ends = new ArrayList<>();
    int[] sent = new int[pool.regionCount()];
    List<Integer> link = new ArrayList<>();
    for (int step = 1; ends.size() < HOLDERS && step <= 2_000; step++) {
      pool.grant(step, said);
      for (String line : said.take()) {
        String[] words = line.split(" ");
        int region = words.length == 4 ? Integer.parseInt(words[2]) : 0;
        int granted = words.length == 4 ? Integer.parseInt(words[3]) : 0;
        while (sent[region] < granted) {
          sent[region] += PACKET;
          link.add(region);
        }
      }
      ReceiveRegion next = pool.region(link.removeFirst());
      pool.onWritten(next, next.receivedBytes(), PACKET, step);
      if (next.receivedBytes() == PACKETS * PACKET) {
        ends.add(step);
      }
    }
    assertTrue(Arrays.stream(sent).sum() <= HOLDERS * PACKETS * PACKET);
    return ends;
  }
}
