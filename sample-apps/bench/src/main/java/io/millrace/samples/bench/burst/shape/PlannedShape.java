package io.millrace.samples.bench.burst.shape;

import java.util.List;

/**
 * A burst of the preset {@code shapes}.
 *
 * @param name the name in reports
 * @param arguments the arguments of {@code bench burst}
 * @param asked the least goodput that the burst is to reach, as a share of the link
 */
public record PlannedShape(String name, List<String> arguments, double asked) {
  private static final double OF_LARGE = 0.97;
  private static final double OF_OTHERS = 0.95;

  private static PlannedShape of(String name, double asked, String arguments) {
    return new PlannedShape(name, List.of(arguments.split(" ", -1)), asked);
  }

  /** All shapes. Neighbours with the same peers and MTU share their processes. */
  public static List<PlannedShape> all() {
    return List.of(
        of("60 x 16 KiB", OF_LARGE, "--shape incast --peers 60 --transfers 20000"),
        of("300 x 16 KiB", OF_LARGE, "--shape incast"),
        of("300 x 8 KiB", OF_OTHERS, "--shape incast --size 8KiB"),
        of("300 x 64 KiB", OF_OTHERS, "--shape incast --size 64KiB --transfers 2500"),
        of("fan-out, 300 x 16 KiB", OF_LARGE, "--shape fanout"),
        of("step to a third", OF_OTHERS, "--shape incast --step"),
        of("loss of 0.1 %", OF_OTHERS, "--shape incast --step-loss 0.1"),
        of("loss of 1 %", OF_OTHERS, "--shape incast --step-loss 1"),
        of("loss of 5 %", OF_OTHERS, "--shape incast --step-loss 5"),
        of("300 x 4 KiB, MTU 1,500", OF_OTHERS, "--shape incast --size 4KiB --mtu 1500"));
  }
}
