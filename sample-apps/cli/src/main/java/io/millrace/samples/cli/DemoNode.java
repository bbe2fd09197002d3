package io.millrace.samples.cli;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.CallContext;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCall;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.samples.process.ScratchDirectory;
import io.millrace.samples.served.ServedFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * The demo's second process. The settings, key included, are the first line of stdin, because other
 * users can see arguments. The process answers {@code report} with its counters, and ends at the
 * end of stdin, also after the death of the parent.
 */
final class DemoNode {
  /** Before the address, on stdout. */
  static final String LISTENING = "listening ";

  /** Before a sentence with the reason for a missing address, on stdout. */
  static final String FAILED = "failed ";

  /** Before the counters as JSON, on stdout. */
  static final String REPORT = "report ";

  /** The command for the counters, on stdin. */
  static final String WANT_REPORT = "report";

  /** The command for more nodes, before their number, on stdin. */
  static final String WANT_PEERS = "peers ";

  /** Before the addresses of more nodes, separated by blanks, on stdout. */
  static final String PEERS = "peers ";

  private DemoNode() {}

  /** Entry point of the child process. */
  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.exit(run(in, System.out));
  }

  private static int run(BufferedReader in, PrintStream out) throws IOException {
    String text = in.readLine();
    if (text == null) {
      return ExitCode.BAD_ARGUMENT;
    }
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-demo")) {
      run(NodeOptions.settings(ConfigFactory.parseString(text)), scratch.path(), in, out);
      return ExitCode.DONE;
    } catch (RuntimeException e) {
      say(out, FAILED + Sentence.of(e));
      return ExitCode.FAILED;
    }
  }

  private static void run(
      TransportSettings settings, Path directory, BufferedReader in, PrintStream out)
      throws IOException {
    try (Transport transport = Transport.start(settings);
        DemoPeers peers = new DemoPeers()) {
      serve(transport);
      DemoStreamRoutes.serve(transport, directory);
      ServedFiles.serve(transport, directory, FileOptions.DEFAULT.withoutForcing());
      DemoPeers.serveDigest(transport, directory);
      DemoChainRoutes.serve(transport);
      say(out, LISTENING + transport.address());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(WANT_REPORT)) {
          say(out, REPORT + JsonLine.text(NodeFacts.report(transport.snapshot())));
        } else if (line.startsWith(WANT_PEERS)) {
          int count = Integer.parseInt(line.substring(WANT_PEERS.length()));
          say(out, PEERS + String.join(" ", peers.start(count, settings, directory)));
        }
      }
    }
  }

  private static void serve(Transport transport) {
    transport.serve(Transformation.ON_EXECUTOR, DemoNode::onExecutor);
    Transformation worker = new Transformation();
    transport.serveOnWorker(Transformation.ON_WORKER, call -> onWorker(call, worker));
  }

  private static CompletionStage<ByteString> onExecutor(ByteString record, CallContext context) {
    context.answerHeaders(context.headers());
    byte[] answer = new Transformation().answer(record.toArrayUnsafe());
    return CompletableFuture.completedFuture(ByteString.fromArrayUnsafe(answer));
  }

  private static void onWorker(WorkerCall call, Transformation transformation) {
    byte[] record = new byte[call.payloadLength()];
    call.buffer().getBytes(call.payloadOffset(), record);
    byte[] answer = transformation.answer(record);
    MutableDirectBuffer reply = call.reply(call.headersLength(), answer.length);
    reply.putBytes(0, call.buffer(), call.headersOffset(), call.headersLength());
    reply.putBytes(call.headersLength(), answer);
  }

  private static void say(PrintStream out, String line) {
    out.println(line);
    out.flush();
  }
}
