package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.body.ArraySource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sizes that an application may seal, and the errors for all other sizes. */
@Timeout(120)
final class SealedSizesTest {
  private static final int MOST = 1 << 20;
  private static final String POOL = "millrace.transfers.broadcast-pool = 1 MiB";
  private static final byte[] NO_HEADERS = {};
  private static final String TOO_LARGE =
      "PAYLOAD_TOO_LARGE: %d bytes for several peers are more than this node holds,"
          + " which is the least of millrace.transfers.broadcast-pool, half of"
          + " millrace.transfers.buffer-pool and what that has beside a part of another body = "
          + MOST;

  /** A source with a claimed length and no bytes. */
  private record Claimed(long lengthBytes) implements BodySource {
    @Override
    public int read(byte[] into, int offset, int length) {
      return -1;
    }

    @Override
    public void close() {
      // The source has no resources.
    }
  }

  private static void run(BroadcastWorld.Scenario scenario) throws Exception {
    BroadcastWorld.run(Carriage.DATAGRAMS, 1, POOL, scenario);
  }

  private static void assertFails(BroadcastWorld world, String told, CompletableFuture<?> sealed) {
    ExecutionException e = assertThrows(ExecutionException.class, () -> world.await(sealed));
    assertEquals(told, assertInstanceOf(CallException.class, e.getCause()).getMessage());
    assertEquals(0, world.memory().usedBytes());
    assertEquals(0, world.memory().broadcastBytes());
  }

  @ParameterizedTest
  @EnumSource
  void shouldSealEverySizeUpToTheMost(Protection protection) throws Exception {
    for (int size : new int[] {0, 1, 4_095, 4_096, 65_537, 100_003, 262_145, MOST - 1, MOST}) {
      run(
          world -> {
            byte[] payload = BodyTest.random(size, size);
            SealedPayload sealed =
                world.await(
                    Raw.seal(
                        world.sender(), new ArraySource(payload, 0, size), NO_HEADERS, protection));
            assertEquals(size, sealed.payloadBytes());
            assertEquals(size, sealed.heldBytes());
            assertEquals(size == 0 ? 0 : 1, sealed.refCount());
            assertEquals(size, world.memory().broadcastBytes());
            assertTrue(world.memory().usedBytes() >= size, "blocks hold it");
            var sent = Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, world.all());
            assertEquals(CallOutcome.OK, world.await(sent.outcomes()).getFirst().outcome());
            assertArrayEquals(
                payload, world.arrivals.get(1).getFirst().target().bytes.toByteArray());
            sealed.close();
            world.assertNothingKept();
          });
    }
  }

  @Test
  void shouldTellWhichSizeIsTooLargeAndWhichSettingSaysSo() throws Exception {
    run(
        world -> {
          Transport node = world.sender();
          for (long size : new long[] {MOST + 1, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE}) {
            assertFails(
                world, TOO_LARGE.formatted(size), Raw.seal(node, new Claimed(size), NO_HEADERS));
          }
          assertFails(
              world, TOO_LARGE.formatted(MOST + 1), Raw.seal(node, new Claimed(MOST), new byte[1]));
          assertFails(
              world,
              TOO_LARGE.formatted(MOST + 1),
              Raw.sealAll(node, List.of(new byte[MOST], new byte[1]), NO_HEADERS));
          world.assertNothingKept();
        });
  }

  @Test
  void shouldRefuseALengthThatIsNone() throws Exception {
    run(
        world -> {
          Transport node = world.sender();
          assertFails(
              world,
              "SOURCE_FAILED: the length of a payload for several peers must be known",
              Raw.seal(node, new Claimed(BodySource.UNKNOWN_LENGTH), NO_HEADERS));
          for (byte[] headers : List.of(NO_HEADERS, new byte[100])) {
            assertFails(
                world,
                "SOURCE_FAILED: the source's length is negative: -5",
                Raw.seal(node, new Claimed(-5), headers));
          }
          assertFails(
              world,
              "SOURCE_FAILED: the source ended after 0 of 7 bytes of headers and payload",
              Raw.seal(node, new Claimed(7), NO_HEADERS));
          world.assertNothingKept();
        });
  }

  @Test
  void shouldSealABatchOfAnySizesToTheMost() throws Exception {
    run(
        world -> {
          List<byte[]> entries =
              List.of(new byte[0], new byte[1], new byte[100_003], new byte[65_536]);
          List<SealedPayload> sealed =
              world.await(Raw.sealAll(world.sender(), entries, NO_HEADERS));
          for (int i = 0; i < entries.size(); i++) {
            assertEquals(entries.get(i).length, sealed.get(i).payloadBytes());
          }
          sealed.forEach(SealedPayload::close);
          world
              .await(Raw.sealAll(world.sender(), List.of(new byte[MOST]), NO_HEADERS))
              .forEach(SealedPayload::close);
          world.assertNothingKept();
        });
  }
}
