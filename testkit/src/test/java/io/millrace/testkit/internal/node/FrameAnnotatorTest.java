package io.millrace.testkit.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.sim.FrameType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Real packets of real nodes carry notes, from the first request for notes on. */
final class FrameAnnotatorTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private static final class Census implements NetworkObserver {
    private final Map<FrameType, List<Long>> subjects = new EnumMap<>(FrameType.class);
    private int sent;
    private int silent;

    @Override
    public void onSent(PacketView packet, long nowNs) {
      sent++;
      silent += packet.notes().isEmpty() ? 1 : 0;
      for (FrameNote note : packet.notes()) {
        subjects.computeIfAbsent(note.frame(), type -> new ArrayList<>()).add(note.subject());
      }
    }

    @Override
    public void onDelivered(PacketView packet, long nowNs) {}

    @Override
    public void onLost(PacketView packet, LossReason reason, long nowNs) {}
  }

  private static Census census(boolean isWanted) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(3)) {
            EchoNodes nodes = new EchoNodes(simulation, 2, 0);
            Census census = new Census();
            nodes.network().observe(census);
            if (isWanted) {
              nodes.cluster().noteFrames();
              nodes.cluster().noteFrames();
            }
            EchoNodes.Call call = nodes.call(0, 1, new byte[200_000]);
            EchoNodes.Call small = nodes.call(0, 1, new byte[10]);
            simulation.runUntil(() -> call.isDone() && small.isDone(), 60 * SECOND_NS);
            assertTrue(call.isDone() && small.isDone());
            nodes.pool(0).close();
            return census;
          }
        });
  }

  @Test
  void shouldNoteTheFramesOfEveryDatagramOnce() throws Exception {
    Census census = census(true);
    assertEquals(0, census.silent, "of " + census.sent);
    assertEquals(1, count(census, FrameType.PSK_INIT));
    assertEquals(1, count(census, FrameType.INLINE_REQUEST));
    assertEquals(1, count(census, FrameType.INLINE_RESPONSE));
    assertEquals(2, count(census, FrameType.PATH_CLOSE), "the second copy is the same packet");
    assertTrue(count(census, FrameType.DATA_CHUNK) > 200);
    assertTrue(count(census, FrameType.WRITE_NOTIFY) > 1);
    assertEquals(
        census.subjects.get(FrameType.INLINE_REQUEST),
        census.subjects.get(FrameType.INLINE_RESPONSE));
  }

  @Test
  void shouldNoteNothingIfNobodyWantsIt() throws Exception {
    Census census = census(false);
    assertTrue(census.sent > 200);
    assertEquals(census.sent, census.silent);
  }

  private static int count(Census census, FrameType type) {
    return census.subjects.getOrDefault(type, List.of()).size();
  }
}
