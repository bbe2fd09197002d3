import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes of the catalogue of events what commits them to the JVM's Flight Recorder. */
final class JfrSources {
  static final String PACKAGE = "io.millrace.telemetry.jfr";

  private final List<EventGenerator.Event> events;

  JfrSources(List<EventGenerator.Event> events) {
    this.events = events;
  }

  /** The source of what commits all but data events. */
  String plain() {
    return text("JfrEvents", false, "Commits each event but those of data to JFR.");
  }

  /** The source of what commits data events. */
  String data() {
    return text(
        "JfrDataEvents", true, "Commits data events to JFR, if a recording has enabled them.");
  }

  private String text(String name, boolean isData, String what) {
    StringBuilder out =
        new StringBuilder(
            "package "
                + PACKAGE
                + ";\n\n"
                + "import io.millrace.event.*;\n"
                + "import io.millrace.transfer.CallOutcome;\n"
                + "import io.millrace.transfer.CongestionState;\n"
                + "import java.util.List;\n"
                + "import jdk.jfr.*;\n"
                + "import org.jspecify.annotations.NullUnmarked;\n\n");
    out.append(
        "/** "
            + what
            + " Categories are Millrace and what it is about. */\n@NullUnmarked\nclass "
            + name
            + " implements TransportEvents {\n");
    List<EventGenerator.Event> own =
        events.stream()
            .filter(each -> each.isData() == isData && !each.name().equals("WorkerActivity"))
            .toList();
    out.append(
        "  /** What it commits. */\n"
            + "  static final List<Class<? extends jdk.jfr.Event>> TYPES =\n"
            + "      List.of(");
    out.append(
        own.stream().map(each -> each.name() + "Event.class").collect(Collectors.joining(", "))
            + ");\n");
    for (EventGenerator.Event each : own) {
      out.append(
          "\n  @Name(\"io.millrace."
              + each.name()
              + "\")\n  @Label(\""
              + words(each.name())
              + "\")\n");
      out.append("  @Description(\"" + jfrText(each.doc()) + "\")\n");
      out.append("  @Category({\"Millrace\", \"" + each.owner() + "\"})\n  @StackTrace(false)\n");
      if (isData) {
        out.append("  @Enabled(false)\n");
      }
      out.append("  static final class " + each.name() + "Event extends jdk.jfr.Event {\n");
      List<EventGenerator.Field> fields = new ArrayList<>();
      if (isData) {
        fields.add(new EventGenerator.Field("worker", "int", "", "the worker"));
      }
      fields.addAll(each.fields());
      fields.forEach(field -> out.append(jfrField(field)));
      out.append(
          "  }\n\n  @Override\n  public void " + each.method() + "(" + each.parameters() + ") {\n");
      out.append(
          "    "
              + each.name()
              + "Event made = new "
              + each.name()
              + "Event();\n    if (made.isEnabled()) {\n");
      for (EventGenerator.Field field : fields) {
        String value = field.readName();
        boolean isText =
            jfrType(field).equals("String") && !field.javaType().strip().equals("String");
        out.append(
            "      made."
                + value
                + " = "
                + (isText ? "String.valueOf(" + value + ")" : value)
                + ";\n");
      }
      out.append("      made.commit();\n    }\n  }\n");
    }
    return out.append("}\n").toString();
  }

  /** A field, with the unit that JFR's tools show it in. */
  private static String jfrField(EventGenerator.Field field) {
    String unit =
        switch (field.unit()) {
          case "ns" -> "    @Timespan(Timespan.NANOSECONDS)\n";
          case "bytes" -> "    @DataAmount\n";
          default -> "";
        };
    String label =
        words(
            field.unit().equals("ns") ? field.readName().replaceAll("Ns$", "") : field.readName());
    String text =
        field.doc().isEmpty() ? "" : "    @Description(\"" + jfrText(field.doc()) + "\")\n";
    return "    @Label(\""
        + label
        + "\")\n"
        + text
        + unit
        + "    "
        + jfrType(field)
        + " "
        + field.readName()
        + ";\n\n";
  }

  private static String jfrText(String doc) {
    return doc.replaceAll("\\{@\\w+ #?([^}]*)\\}", "$1").replace("\"", "'");
  }

  private static String jfrType(EventGenerator.Field field) {
    return switch (field.javaType()) {
      case "int", "long", "boolean", "double" -> field.javaType();
      default -> "String";
    };
  }

  private static String words(String name) {
    String spaced = name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    return spaced.substring(0, 1).toUpperCase(Locale.ROOT) + spaced.substring(1);
  }
}
