package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.crypto.PathSecret;
import io.millrace.path.packet.PeerIncarnation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The owners of path secrets, and the memory that secrets take. */
class PathSecretsTest {
  private static final int MANY = 100_000;
  private static final int MOST_BYTES = 1_024;

  private final PathSecrets secrets = new PathSecrets();

  private static PathSecrets.Holder holder(int peer) {
    return new PathSecrets.Holder(new PeerIncarnation("10.0.0." + peer + ":7400", peer), 0, peer);
  }

  @Test
  void shouldFindWhatWasAddedUntilItIsRemoved() {
    secrets.add(1, holder(1));
    secrets.add(2, holder(2));
    assertEquals(holder(1), secrets.find(1));
    secrets.remove(1);
    assertNull(secrets.find(1));
    assertEquals(1, secrets.size());
  }

  @Test
  void shouldOfferThoseFirstThatNobodyWasAskedAboutForLongest() {
    for (int i = 0; i < 4; i++) {
      secrets.add(i, holder(i));
    }
    List<Long> offered = new ArrayList<>();
    secrets.offerOldest(3, each -> offered.add(each.getKey()));
    secrets.offerOldest(3, each -> offered.add(each.getKey()));
    assertEquals(List.of(0L, 1L, 2L, 3L, 0L, 1L), offered);
    secrets.offerOldest(9, each -> offered.add(each.getKey()));
    assertEquals(10, offered.size());
  }

  /** Counted as allocated bytes, so that the figure contains short-lived garbage, too. */
  @Test
  void shouldTakeLessThanAKibibyteForEachOfManyPeers() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] random = new byte[PathSecret.LENGTH];
    PathSecret secret = new PathSecret(random);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < MANY; i++) {
      String name = "10.1.2.3:" + (100_000 + i);
      secrets.add(i, new PathSecrets.Holder(new PeerIncarnation(name, i), 0, secret.pathId()));
    }
    long each = (threads.getCurrentThreadAllocatedBytes() - before) / MANY;
    assertEquals(MANY, secrets.size());
    System.out.printf("%d bytes for each of %d peers, names included%n", each, MANY);
    assertTrue(each < MOST_BYTES, () -> each + " bytes");
  }
}
