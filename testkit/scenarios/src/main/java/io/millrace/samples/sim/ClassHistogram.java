package io.millrace.samples.sim;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The number of live objects of each class on the heap of this process.
 *
 * @param counts the counts by the JVM's name of the class
 */
public record ClassHistogram(Map<String, Count> counts) {
  static final ClassHistogram NONE = new ClassHistogram(Map.of());

  private static final Pattern LINE =
      Pattern.compile("\\s*\\d+:\\s+(?<objects>\\d+)\\s+(?<bytes>\\d+)\\s+(?<name>\\S+).*");
  private static final double LEAST_BYTES = 1;

  /**
   * The objects of a class.
   *
   * @param objects the number of objects
   * @param bytes the bytes of all objects
   */
  public record Count(long objects, long bytes) {
    private static final Count ZERO = new Count(0, 0);
  }

  /**
   * The share of a class in each transfer, on average.
   *
   * @param className the JVM's name of the class
   * @param objects the number of objects
   * @param bytes the bytes of all objects
   */
  public record Share(String className, double objects, double bytes) {}

  /** Counts the live objects; the JVM collects all dead objects first. */
  static ClassHistogram take() throws JMException {
    String text =
        String.valueOf(
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[] {}},
                    new String[] {String[].class.getName()}));
    Map<String, Count> counts = new HashMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(
            line ->
                counts.put(
                    line.group("name"),
                    new Count(
                        Long.parseLong(line.group("objects")),
                        Long.parseLong(line.group("bytes")))));
    return new ClassHistogram(Map.copyOf(counts));
  }

  /** Returns the growth since {@code before}, for each of {@code transfers}, the most first. */
  List<Share> since(ClassHistogram before, long transfers) {
    return counts.entrySet().stream()
        .map(
            each -> {
              Count then = before.counts.getOrDefault(each.getKey(), Count.ZERO);
              return new Share(
                  each.getKey(),
                  (double) (each.getValue().objects - then.objects) / transfers,
                  (double) (each.getValue().bytes - then.bytes) / transfers);
            })
        .filter(share -> share.bytes() >= LEAST_BYTES)
        .sorted(Comparator.comparingDouble(Share::bytes).reversed())
        .toList();
  }
}
