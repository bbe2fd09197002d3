package io.millrace.samples.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scrape in the text format of Prometheus, version 0.0.4, read strictly. The reader checks names,
 * labels with their escapes, and a single {@code TYPE} ahead of all samples of a family. The
 * samples of a family must be together, no series may come twice, and counters must not be
 * negative. The buckets of a histogram must grow up to {@code +Inf}, equal to its count. Immutable.
 */
public final class PrometheusText {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Set<String> TYPES =
      Set.of("counter", "gauge", "histogram", "summary", "untyped");

  private final List<Sample> samples;
  private final Map<String, String> types;

  /**
   * A line of the scrape.
   *
   * @param name such as {@code millrace_packets_sent_total}
   * @param labels the values of the labels by name
   */
  public record Sample(String name, SortedMap<String, String> labels, double value) {
    /** Returns the value of a label; empty for a missing label. */
    public String label(String label) {
      return labels.getOrDefault(label, "");
    }
  }

  private PrometheusText(List<Sample> samples, Map<String, String> types) {
    this.samples = List.copyOf(samples);
    this.types = Map.copyOf(types);
  }

  /**
   * Reads a scrape.
   *
   * @throws IllegalArgumentException if a line is wrong, with the line
   */
  public static PrometheusText parse(String text) {
    return new Reader().read(text);
  }

  /** All samples, in their order. */
  public List<Sample> samples() {
    return samples;
  }

  /** The type of each family by name. */
  public Map<String, String> types() {
    return types;
  }

  /** Returns the samples of this name. */
  public Stream<Sample> of(String name) {
    return samples.stream().filter(sample -> sample.name().equals(name));
  }

  /** Returns the sum of all series of a name; 0 without series. */
  public double sum(String name) {
    return of(name).mapToDouble(Sample::value).sum();
  }

  /** Sums of the series of a name for each value of a label. */
  public SortedMap<String, Double> by(String name, String label) {
    SortedMap<String, Double> sums = new TreeMap<>();
    of(name).forEach(each -> sums.merge(each.label(label), each.value(), Double::sum));
    return sums;
  }

  /** Reads the text line by line. */
  private static final class Reader {
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, String> types = new HashMap<>();
    private final Set<String> helped = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Set<String> sampled = new HashSet<>();
    private final Set<String> series = new HashSet<>();
    private @Nullable String family;
    private String line = "";
    private int at;

    PrometheusText read(String text) {
      require(text.isEmpty() || text.endsWith("\n"), "the last line has no end");
      for (String each : text.split("\n", -1)) {
        line = each;
        at = 0;
        if (line.startsWith("# HELP ") || line.startsWith("# TYPE ")) {
          comment();
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          sample();
        }
      }
      types.forEach((name, type) -> histogram(name, type));
      return new PrometheusText(samples, types);
    }

    private void comment() {
      String[] words = line.split(" ", 4);
      String name = words[2];
      require(NAME.matcher(name).matches(), "a wrong name");
      enter(name);
      if (words[1].equals("HELP")) {
        require(helped.add(name), "a second HELP");
        return;
      }
      require(words.length == 4 && TYPES.contains(words[3]), "a wrong type");
      require(!sampled.contains(name), "a TYPE after samples");
      require(types.put(name, words[3]) == null, "a second TYPE");
    }

    /** The samples of a family are together. */
    private void enter(String name) {
      if (!name.equals(family)) {
        if (family != null) {
          ended.add(family);
        }
        require(!ended.contains(name), "its family was over");
        family = name;
      }
    }

    private String familyOf(String name) {
      for (String suffix : List.of("_bucket", "_sum", "_count")) {
        String base =
            name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : "";
        String type = types.getOrDefault(base, "");
        if (type.equals("histogram") || (type.equals("summary") && !suffix.equals("_bucket"))) {
          return base;
        }
      }
      return name;
    }

    private void sample() {
      while (at < line.length() && line.charAt(at) != '{' && line.charAt(at) != ' ') {
        at++;
      }
      String name = line.substring(0, at);
      require(NAME.matcher(name).matches(), "a wrong name");
      SortedMap<String, String> labels = labels();
      require(at < line.length() && line.charAt(at) == ' ', "no space before the value");
      String[] rest = line.substring(at + 1).strip().split(" +", -1);
      require(rest.length <= 2, "more than a value and a time");
      double value = number(rest[0]);
      if (rest.length == 2) {
        require(rest[1].matches("-?[0-9]+"), "a wrong time");
      }
      String of = familyOf(name);
      enter(of);
      sampled.add(of);
      require(series.add(name + labels), "a series twice");
      require(!types.getOrDefault(of, "").equals("counter") || value >= 0, "a negative counter");
      samples.add(new Sample(name, labels, value));
    }

    private SortedMap<String, String> labels() {
      SortedMap<String, String> labels = new TreeMap<>();
      if (at == line.length() || line.charAt(at) != '{') {
        return labels;
      }
      at++;
      while (charAt() != '}') {
        int equals = line.indexOf('=', at);
        require(equals > 0, "a label without a value");
        String label = line.substring(at, equals);
        require(LABEL.matcher(label).matches(), "a wrong label");
        at = equals + 1;
        require(labels.put(label, quoted()) == null, "a label twice");
        require(charAt() == ',' || charAt() == '}', "no comma after a label");
        if (charAt() == ',') {
          at++;
        }
      }
      at++;
      return labels;
    }

    private String quoted() {
      require(charAt() == '"', "a value without quotes");
      StringBuilder value = new StringBuilder();
      at++;
      while (charAt() != '"') {
        value.append(charAt() == '\\' ? escaped() : charAt());
        at++;
      }
      at++;
      return value.toString();
    }

    private char escaped() {
      at++;
      char escaped = charAt();
      require("\\\"n".indexOf(escaped) >= 0, "a wrong escape");
      return escaped == 'n' ? '\n' : escaped;
    }

    private char charAt() {
      require(at < line.length(), "the line ends too early");
      return line.charAt(at);
    }

    private double number(String text) {
      switch (text) {
        case "+Inf", "Inf" -> {
          return Double.POSITIVE_INFINITY;
        }
        case "-Inf" -> {
          return Double.NEGATIVE_INFINITY;
        }
        default -> {
          try {
            return Double.parseDouble(text);
          } catch (NumberFormatException e) {
            throw wrong("no number");
          }
        }
      }
    }

    private void histogram(String name, String type) {
      if (!type.equals("histogram")) {
        return;
      }
      line = name;
      Map<SortedMap<String, String>, double[]> last = new HashMap<>();
      for (Sample each : samples) {
        if (each.name().equals(name + "_bucket")) {
          SortedMap<String, String> labels = new TreeMap<>(each.labels());
          double le = number(Objects.requireNonNullElse(labels.remove("le"), "no le"));
          double[] before =
              last.computeIfAbsent(labels, _ -> new double[] {Double.NEGATIVE_INFINITY, 0});
          require(le > before[0], "buckets in a wrong order");
          require(each.value() >= before[1], "buckets that shrink");
          before[0] = le;
          before[1] = each.value();
        }
      }
      for (Sample each : samples) {
        if (each.name().equals(name + "_count")) {
          double[] end = last.remove(each.labels());
          require(end != null && end[0] == Double.POSITIVE_INFINITY, "no bucket +Inf");
          require(end != null && end[1] == each.value(), "+Inf is not the count");
        }
      }
      require(last.isEmpty(), "buckets without a count");
    }

    private void require(boolean holds, String what) {
      if (!holds) {
        throw wrong(what);
      }
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(what + ": " + line);
    }
  }

  /**
   * Returns the growth of the sum since an earlier scrape; the whole sum if the node has started
   * anew.
   */
  double since(PrometheusText before, ToDoubleFunction<PrometheusText> value) {
    double now = value.applyAsDouble(this);
    double then = value.applyAsDouble(before);
    return now < then ? now : now - then;
  }
}
