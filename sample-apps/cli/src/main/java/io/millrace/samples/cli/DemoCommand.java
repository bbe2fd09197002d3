package io.millrace.samples.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.cli.AnswerCheck.Verified;
import io.millrace.samples.cli.DemoOutcome.AmongNodes;
import io.millrace.samples.file.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs two nodes in two processes on loopback, with real bytes between the nodes, every byte
 * verified.
 */
@Command(
    name = "demo",
    description = {
      "Two nodes in two processes on loopback, every byte between them verified.",
      "They shake hands by TLS 1.3; then a file's records go as encrypted calls of all",
      "priorities and as streams there, back and both ways, the file goes as bulk to the other's",
      "disk and back, and in one broadcast to three nodes. At last a chain of dependent calls goes",
      "over three nodes. Ends 0 only if every byte was right and every call in its order."
    })
final class DemoCommand extends Subcommand {
  private static final long HANDSHAKE_SECONDS = 30;
  private static final int MOST_PARALLEL = 4_096;
  private static final int MORE_PEERS = 2;

  @Mixin private NodeOptions node = new NodeOptions();
  @Mixin private HandshakeOptions handshake = new HandshakeOptions();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The file to send. Default: the largest jar of the class path.")
  private @Nullable Path input;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "64",
      description = "Calls outstanding at once. Default: ${DEFAULT-VALUE}.")
  private int parallelism;

  /** The patterns that have run to their end so far. */
  private final List<String> ran = new ArrayList<>();

  DemoCommand(Screen screen) {
    super(screen);
  }

  @Override
  Map<String, Object> failureReport(String sentence) {
    return DemoReport.ofFailure(sentence, ran);
  }

  @Override
  public Integer call() throws Exception {
    if (parallelism < 1 || parallelism > MOST_PARALLEL) {
      throw CommandException.badArgument(
          "--parallelism must be from 1 to " + MOST_PARALLEL + ", not " + parallelism);
    }
    RecordFile file = openInput();
    if (file.bytes() == 0) {
      throw CommandException.badArgument("'" + file.path() + "' is empty");
    }
    Config overrides =
        handshake.with(
            node.overrides(NodeOptions.ONE_MACHINE, handshake.chosen()),
            screen(),
            KeySource::random);
    TransportSettings settings = NodeOptions.settings(overrides);
    try (ChildNode child =
        ChildNode.start(overrides.root().render(ConfigRenderOptions.concise()))) {
      DemoOutcome outcome = run(settings, child, file);
      DemoReport report = new DemoReport(outcome, settings.handshake(), ran);
      if (isJson()) {
        JsonLine.print(screen().out(), report.json());
      } else {
        report.print(screen().out());
      }
    }
    return ExitCode.DONE;
  }

  private RecordFile openInput() {
    try {
      return RecordFile.open(input != null ? input : RecordFile.usual());
    } catch (IOException e) {
      throw CommandException.badArgument("--file: " + Sentence.of(e));
    }
  }

  private DemoOutcome run(TransportSettings settings, ChildNode child, RecordFile file)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    ActorSystem<Void> system = actorSystem("demo", ConfigFactory.load());
    try (Transport client = Transport.builder(settings).system(system).start()) {
      Peer peer = client.peer(child.address());
      long startNs = System.nanoTime();
      peer.connect().get(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
      long handshakeNs = System.nanoTime() - startNs;
      Progress progress = new Progress(screen(), startNs);
      DemoRun run = new DemoRun(peer, file, parallelism, progress);
      Verified flow = run.throughFlow(Transformation.ON_EXECUTOR, system);
      Verified futures = run.throughFutures(Transformation.ON_WORKER);
      ran.add("unary");
      StreamedFile streams = new DemoStreams(peer, file, client.materializer(), progress).run();
      ran.addAll(List.of("streaming-response", "streaming-request", "bidirectional"));
      CopiedFile bulk = new DemoCopy(peer, progress).run(file.path());
      ran.add("bulk");
      List<Peer> peers = peers(client, peer, child);
      BroadcastFile broadcast =
          new DemoBroadcast(client, peers, progress)
              .run(file, settings.transfers().heldForBroadcastsBytes());
      ran.add("broadcast");
      DemoChain.DependentCalls chain = new DemoChain(client, peer, peers.getLast()).run();
      ran.add("causality");
      progress.clear();
      requireSame(
          file,
          List.of(
              flow.digest(),
              futures.digest(),
              bulk.digest(),
              streams.keptDigest(),
              streams.bothWays().digest()));
      return new DemoOutcome(
          file,
          child.pid(),
          handshakeNs,
          flow,
          futures,
          bulk,
          streams,
          new AmongNodes(broadcast, chain),
          client.snapshot(),
          child.report());
    } finally {
      system.terminate();
    }
  }

  /** Returns the other process' node, and more nodes that the process starts now. */
  private static List<Peer> peers(Transport client, Peer first, ChildNode child)
      throws IOException, InterruptedException {
    List<Peer> peers = new ArrayList<>(List.of(first));
    child.startPeers(MORE_PEERS).forEach(address -> peers.add(client.peer(address)));
    return peers;
  }

  /** Requires that the file rebuilt from the answers is the file, and so is its copy. */
  private static void requireSame(RecordFile file, List<String> digests) throws IOException {
    String expected = Sha256.of(file.path());
    for (String digest : digests) {
      if (!digest.equals(expected)) {
        throw CommandException.failed("the returned file differs from the sent file");
      }
    }
  }
}
