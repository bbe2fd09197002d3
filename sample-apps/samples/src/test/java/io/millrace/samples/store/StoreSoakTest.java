package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.samples.store.StoreRoutes.Materialize;
import io.millrace.samples.store.StoreRoutes.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file of 1 GiB, like a model's; prints the rate of the load. */
@Tag("soak")
@Timeout(600)
class StoreSoakTest extends StoreNodes {
  private static final long SIZE = 1L << 30;

  private Node holder() throws Exception {
    return daemon(settings -> settings.withChunkBytes(4 << 20).withMaxConcurrency(4));
  }

  @Test
  void shouldPassAGibibyteFromOneDaemonToThree() throws Exception {
    Node first = holder();
    String artifact = put(first, "model", new SeededBytes(1, SIZE));
    Node before = first;
    for (int i = 1; i <= 3; i++) {
      Node next = holder();
      Result result = load(next, artifact, MemoryKind.DISK);
      assertEquals(List.of(before.transport().address()), result.sources());
      assertEquals(SIZE, result.bytesFromPeers());
      print("to daemon " + i, result.elapsedNs(), 1);
      before.daemon().close();
      before = next;
    }
    assertEquals(
        -1, Files.mismatch(first.files().resolve(artifact), before.files().resolve(artifact)));
  }

  @Test
  void shouldServeFourAtOnce() throws Exception {
    Node first = holder();
    String artifact = put(first, "model", new SeededBytes(1, SIZE));
    for (int crowd : new int[] {1, 2, 4}) {
      print("cp, " + crowd + " at once", copyNs(first.files().resolve(artifact), crowd), crowd);
      List<Node> readers = new ArrayList<>();
      for (int i = 0; i < crowd; i++) {
        readers.add(holder());
      }
      long servedBefore = first.daemon().servedBytes();
      long startNs = System.nanoTime();
      List<CompletableFuture<Result>> loads = new ArrayList<>();
      for (Node each : readers) {
        loads.add(
            each.daemon().materialize(new Materialize(artifact, MemoryKind.RAM, LoadMode.AUTO)));
      }
      for (CompletableFuture<Result> each : loads) {
        assertEquals(SIZE, each.get(500, TimeUnit.SECONDS).bytesFromPeers());
      }
      print("daemons, " + crowd + " at once", System.nanoTime() - startNs, crowd);
      assertEquals(crowd * SIZE, first.daemon().servedBytes() - servedBefore);
      for (Node each : readers) {
        each.daemon().close();
        each.transport().close();
      }
    }
  }

  private long copyNs(Path file, int copies) throws Exception {
    long startNs = System.nanoTime();
    List<Process> running = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      String to = folder.resolve("copy" + i).toString();
      running.add(new ProcessBuilder("cp", file.toString(), to).start());
    }
    for (Process each : running) {
      assertEquals(0, each.waitFor());
    }
    return System.nanoTime() - startNs;
  }

  private static void print(String what, long elapsedNs, int crowd) {
    System.out.printf(
        "store: 1 GiB %s: %.2f s, %.0f MB/s in all%n",
        what, elapsedNs / 1e9, crowd * SIZE * 1e3 / elapsedNs);
  }
}
