package io.millrace.api;

import io.millrace.wire.RouteId;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * A single life of a node that writes every seal down. Arguments: handshake port, worker port,
 * file. The node prints {@code ready} with both ports and obeys lines {@code <peer> <calls>} until
 * its input ends. For each line the node calls until this number of calls has succeeded, despite
 * failures in between, and prints {@code progress} and {@code done}.
 */
final class SealingNodeMain {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int WINDOW = 4;
  private static final int PROGRESS = 200;
  private static final int PAYLOAD_BYTES = 64;

  /**
   * The pause before the next calls to a peer without answers: the peer's next life needs the core.
   */
  private static final long HOPELESS_NS = 10_000_000;

  private final Transport transport;
  private long callNumber;
  private long failed;

  private SealingNodeMain(Transport transport) {
    this.transport = transport;
  }

  /** Runs the node as the class comment describes. */
  public static void main(String[] arguments) throws Exception {
    SealLog log = new SealLog(Path.of(arguments[2]));
    Security.insertProviderAt(new RecordingSecurity(log), 1);
    String overrides =
        """
        millrace.handshake.listen = "127.0.0.1:%s"
        millrace.nic.address = "127.0.0.1:%s"
        millrace.handshake.timeout = 500 ms
        millrace.recovery.fail-after = 500 ms
        millrace.crypto.packets-per-key = 20
        """
            .formatted(arguments[0], arguments[1]);
    try (Transport transport =
        Transport.builder(TwoNodes.settings(overrides)).aead(new RecordingAead(log)).start()) {
      Raw.serveOnWorker(
          transport,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      int workerPort = HostilePackets.workerAddress(transport).getPort();
      System.out.println(
          "ready " + transport.address() + " " + workerPort + " " + transport.snapshot().aead());
      new SealingNodeMain(transport).obey();
    }
  }

  private void obey() throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = input.readLine();
    while (line != null) {
      String[] words = line.split(" ", -1);
      call(transport.peer(words[0]), Integer.parseInt(words[1]));
      line = input.readLine();
    }
  }

  private void call(Peer peer, int calls) throws InterruptedException {
    int right = 0;
    int told = 0;
    while (right < calls) {
      int answered = round(peer);
      if (answered == 0) {
        LockSupport.parkNanos(HOPELESS_NS);
      }
      right += answered;
      if (right / PROGRESS > told) {
        told = right / PROGRESS;
        System.out.println("progress " + right + " failed " + failed);
      }
    }
    System.out.println("done " + right + " failed " + failed);
  }

  private int round(Peer peer) throws InterruptedException {
    List<byte[]> payloads = new ArrayList<>();
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < WINDOW; i++) {
      byte[] payload = ByteBuffer.allocate(PAYLOAD_BYTES).putLong(callNumber++).array();
      payloads.add(payload);
      calls.add(Raw.unary(peer, ECHO, payload));
    }
    int right = 0;
    for (int i = 0; i < WINDOW; i++) {
      try {
        if (!Arrays.equals(payloads.get(i), calls.get(i).get().payload())) {
          throw new AssertionError("another call's answer");
        }
        right++;
      } catch (ExecutionException e) {
        failed++;
      }
    }
    return right;
  }
}
