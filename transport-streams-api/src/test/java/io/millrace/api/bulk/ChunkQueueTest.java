package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two threads meet at a queue as tightly as possible: a lost wake-up hangs the test, and the checks
 * detect a needless wake-up or a lost chunk.
 */
final class ChunkQueueTest {
  private static final int LONGEST_S = 20;
  private static final int CHUNKS = Repetitions.times(100_000);
  private static final int SHORT_QUEUES = Repetitions.times(25_000);
  private static final ByteString CHUNK = ByteString.fromArray(new byte[1]);

  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A queue and the threads that wait at the queue. */
  private static final class Meeting {
    final ChunkQueue queue;
    final Semaphore producer = new Semaphore(0);
    final Semaphore consumer = new Semaphore(0);

    Meeting(int capacityBytes) {
      queue = new ChunkQueue(capacityBytes);
      queue.onWakeProducer(producer::release);
      queue.onWakeConsumer(consumer::release);
    }

    void produce(int chunks) {
      for (int chunk = 0; chunk < chunks; chunk++) {
        if (!queue.hasRoomOrWaits()) {
          park(producer);
          assertTrue(queue.hasRoomOrWaits(), "woken without room");
        }
        queue.offer(CHUNK);
      }
      queue.end(null);
    }

    int consume() {
      int chunks = 0;
      boolean isWoken = false;
      while (true) {
        ByteString chunk = queue.pollOrWait();
        if (chunk != null) {
          chunks++;
          isWoken = false;
        } else if (queue.isDrained()) {
          return chunks;
        } else {
          assertTrue(!isWoken, "woken without a chunk");
          park(consumer);
          isWoken = true;
        }
      }
    }

    /** Spins before parking: an awake thread meets the other thread at closer quarters. */
    private static void park(Semaphore semaphore) {
      for (int spin = 0; spin < 1000; spin++) {
        if (semaphore.tryAcquire()) {
          return;
        }
        Thread.onSpinWait();
      }
      try {
        assertTrue(semaphore.tryAcquire(LONGEST_S, TimeUnit.SECONDS), "a lost wake-up");
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void meet(int queues, int capacityBytes, int chunks) {
    Meeting[] meetings = new Meeting[queues];
    for (int at = 0; at < queues; at++) {
      meetings[at] = new Meeting(capacityBytes);
    }
    CompletableFuture<Void> producer =
        CompletableFuture.runAsync(
            () -> {
              for (Meeting meeting : meetings) {
                meeting.produce(chunks);
              }
            },
            threads);
    CompletableFuture<Void> consumer =
        CompletableFuture.runAsync(
            () -> {
              for (Meeting meeting : meetings) {
                assertEquals(chunks, meeting.consume());
              }
            },
            threads);
    producer.join();
    consumer.join();
    for (Meeting meeting : meetings) {
      assertEquals(0, meeting.producer.availablePermits() + meeting.consumer.availablePermits());
    }
  }

  @Test
  void shouldNeverLoseAWakeUpWhenOneChunkFits() {
    meet(1, ChunkQueue.LEAST_COST_BYTES, CHUNKS);
  }

  @Test
  void shouldNeverLoseAWakeUpWhenSomeChunksFit() {
    meet(1, 4 * ChunkQueue.LEAST_COST_BYTES, CHUNKS);
  }

  @Test
  void shouldNeverMissTheLastChunkBeforeTheEnd() {
    meet(SHORT_QUEUES, ChunkQueue.LEAST_COST_BYTES, 1);
  }
}
