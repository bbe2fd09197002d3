package io.millrace.samples.bench.burst.simulated;

import io.millrace.samples.process.Checkout;
import io.millrace.samples.process.JavaCommand;
import io.millrace.testkit.internal.core.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs bursts in the simulator, each in a process of its own: the simulator has an agent. */
public final class Simulator {
  private static final long MOST_BYTES = 16L << 20;
  private static final int LEAST_OF_PEER = 4;
  private static final int LIMIT_SECONDS = 60;

  private Simulator() {}

  /**
   * Runs a burst. A long burst is cut to {@value #MOST_BYTES} bytes, or to {@value #LEAST_OF_PEER}
   * transfers of each peer.
   *
   * @throws IOException if the simulator cannot run, or takes longer than {@value #LIMIT_SECONDS} s
   */
  public static SimulatedBurst.Result run(SimulatedBurst.Plan plan)
      throws IOException, InterruptedException {
    Path agent = Checkout.classesWith(Simulation.class).resolveSibling("sim-agent.jar");
    if (!Files.isRegularFile(agent)) {
      throw new IOException("the simulator's agent is not built");
    }
    long most = Math.max((long) LEAST_OF_PEER * plan.peers(), MOST_BYTES / plan.sizeBytes());
    SimulatedBurst.Plan cut =
        new SimulatedBurst.Plan(
            plan.peers(),
            (int) Math.min(plan.transfers(), most),
            plan.sizeBytes(),
            plan.isFanOut(),
            plan.bitsPerSecond(),
            plan.queueBytes(),
            plan.mtu());
    List<String> command = new ArrayList<>(JavaCommand.likeThis("-javaagent:" + agent, "-Xmx2g"));
    command.add(SimulatedBurst.class.getName());
    command.addAll(cut.words());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    // The result is a single line, which fits the pipe.
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the simulator took longer than " + LIMIT_SECONDS + " s");
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.exitValue() != 0 || said.isBlank()) {
      throw new IOException("the simulator failed");
    }
    return SimulatedBurst.Result.parse(said.strip().lines().toList().getLast());
  }
}
