package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams at both ends of transfers that hop between real threads. */
final class BulkStreamsThreadsTest {
  private static final int THREADS = 3;
  private static final int TRANSFERS = 150;
  private static final int MOST_BYTES = 600_000;
  private static final int MOST_ELEMENT_BYTES = 20_000;
  private static final int MOST_BUFFER_BYTES = 40_000;

  private final ActorSystem system = ActorSystem.create("bulk-threads");
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() {
    executor.shutdownNow();
    TestKit.shutdownActorSystem(system);
  }

  /** One transfer under way. */
  private record Running(
      byte[] bytes, CompletableFuture<Long> moved, CompletionStage<ByteString> received) {}

  private Running start(long seed) {
    Random random = new Random(seed);
    byte[] bytes = TestBytes.random(random.nextInt(MOST_BYTES), seed);
    int mostElement = 1 + random.nextInt(MOST_ELEMENT_BYTES);
    List<ByteString> elements = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int end = Math.min(bytes.length, at + random.nextInt(mostElement + 1));
      elements.add(ByteString.fromArray(Arrays.copyOfRange(bytes, at, end)));
      at = end;
    }
    BodySource source =
        Source.from(elements)
            .toMat(BulkStreams.sink(bytes.length, buffer(random)), Keep.right())
            .run(system);
    Pair<BodyTarget, CompletionStage<ByteString>> target =
        BulkStreams.source(buffer(random))
            .async()
            .toMat(Sink.fold(ByteString.emptyByteString(), ByteString::concat), Keep.both())
            .run(system);
    CompletableFuture<Long> moved = BodyDriver.start(source, target.first(), executor, seed);
    return new Running(bytes, moved, target.second());
  }

  private static int buffer(Random random) {
    return ChunkQueue.LEAST_COST_BYTES + random.nextInt(MOST_BUFFER_BYTES);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldMoveEveryByteInOrder(long seed) throws IOException {
    List<Running> all = new ArrayList<>();
    for (int transfer = 0; transfer < TRANSFERS; transfer++) {
      all.add(start(seed * TRANSFERS + transfer));
    }
    for (Running running : all) {
      assertEquals(running.bytes.length, BodyDriver.await(running.moved));
      ByteString received = running.received.toCompletableFuture().join();
      assertArrayEquals(running.bytes, received.toArrayUnsafe());
    }
  }

  @Test
  void shouldSurviveChunksOfOneByteThroughTheSmallestBuffer() throws IOException {
    int length = 30_000;
    byte[] bytes = TestBytes.random(length, 5);
    BodySource source =
        Source.range(0, length - 1)
            .map(at -> ByteString.fromArray(bytes, at, 1))
            .toMat(
                BulkStreams.sink(BodySource.UNKNOWN_LENGTH, ChunkQueue.LEAST_COST_BYTES),
                Keep.right())
            .run(system);
    byte[] received = new byte[length];
    assertEquals(
        length, BodyDriver.await(BodyDriver.start(source, BulkTarget.into(received), executor, 5)));
    assertArrayEquals(bytes, received);
  }
}
