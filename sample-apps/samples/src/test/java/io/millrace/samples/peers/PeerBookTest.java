package io.millrace.samples.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hosts that become known while a program runs. */
@Timeout(60)
final class PeerBookTest {
  private static final String HERE = "127.0.0.1:7";
  private static final String LATE = "late:7";
  private static final long SECOND_NS = 1_000_000_000L;

  private final Transport transport =
      Transport.start(
          TransportSettings.parse(
              """
              millrace.handshake { provider = psk, psk = "%s" }
              millrace.nic.driver = udp-nio
              """
                  .formatted("0123456789abcdef".repeat(4))));
  private final List<String> lookedUp = new ArrayList<>();
  private final Set<String> known = new HashSet<>(Set.of(HERE));
  private final List<Runnable> background = new ArrayList<>();
  private long nowNs = SECOND_NS;

  private final PeerBook book =
      new PeerBook(List.of(HERE, LATE), this::lookUp, background::add, () -> nowNs);

  private Peer lookUp(String address) {
    lookedUp.add(address);
    if (!known.contains(address)) {
      throw new SettingsException("test", "names an unknown host");
    }
    return transport.peer(HERE);
  }

  @AfterEach
  void close() {
    transport.close();
  }

  @Test
  void shouldGiveTheKnownAndLookTheOthersUpAgainWhileSomebodyAsks() {
    Optional<Peer> here = book.peer(0);
    assertEquals("127.0.0.1:7", here.orElseThrow().address());
    assertEquals(List.of(1), book.unknown());
    assertEquals(List.of(HERE, LATE), lookedUp);

    nowNs += SECOND_NS - 1;
    assertEquals(Optional.empty(), book.peer(1));
    assertEquals(List.of(), background, "it was looked up less than a second ago");
    nowNs++;
    assertEquals(Optional.empty(), book.peer(1));
    assertEquals(Optional.empty(), book.peer(1));
    assertEquals(1, background.size(), "one look-up at a time");
    background.removeFirst().run();
    assertEquals(Optional.empty(), book.peer(1));

    known.add(LATE);
    nowNs += SECOND_NS;
    assertEquals(Optional.empty(), book.peer(1));
    background.removeFirst().run();
    assertEquals(here, book.peer(1));
    assertEquals(List.of(), book.unknown());
    assertEquals(List.of(HERE, LATE, LATE, LATE), lookedUp);
  }

  @Test
  void shouldRefuseWhatIsNoAddress() {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> new PeerBook(transport, List.of(HERE, "late")));
    assertEquals("the peer's address must be host:port, not 'late'", refused.getMessage());
  }
}
