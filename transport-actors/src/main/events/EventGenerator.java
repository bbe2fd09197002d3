import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Makes code and a document of the catalogue of events. The build runs this class from source:
 *
 * <pre>
 * java EventGenerator.java catalogue.xml code DIRECTORY     the Java sources
 * java EventGenerator.java catalogue.xml document FILE      docs/events.md
 * </pre>
 */
final class EventGenerator {
  private static final String EVENT = "io.millrace.event";
  private static final String JFR = JfrSources.PACKAGE;

  /** The beginning of a source that names the types of fields. */
  private static final String HEAD =
      "package "
          + EVENT
          + ";\n\n"
          + "import io.millrace.transfer.CallOutcome;\n"
          + "import io.millrace.transfer.CongestionState;\n";

  private static final String NOTE = "// Made by EventGenerator of catalogue.xml: do not edit.\n";

  /**
   * The type of a field of data events: the id of a path between threads, and the name of the
   * path's peer for a subscriber.
   */
  private static final String PATH = "path";

  private final List<Event> events = new ArrayList<>();
  private final List<Count> counts = new ArrayList<>();
  private final List<Gauge> gauges = new ArrayList<>();

  record Field(String name, String type, String unit, String doc) {
    boolean isPath() {
      return type.equals(PATH);
    }

    String javaType() {
      return isPath() ? "String" : type;
    }

    String readName() {
      return isPath() ? "peer" : name;
    }
  }

  record Event(String name, String level, String owner, String doc, List<Field> fields) {
    boolean isData() {
      return level.equals("data");
    }

    String method() {
      return "on" + name;
    }

    String constant() {
      return upper(name);
    }

    String parameters() {
      List<String> all = new ArrayList<>();
      if (isData()) {
        all.add("int worker");
      }
      fields.forEach(field -> all.add(field.javaType() + " " + field.readName()));
      return String.join(", ", all);
    }

    String arguments() {
      List<String> all = new ArrayList<>();
      if (isData()) {
        all.add("worker");
      }
      fields.forEach(field -> all.add(field.readName()));
      return String.join(", ", all);
    }
  }

  record Count(String name, String metric, String unit, String owner, String doc) {}

  record Gauge(String name, String metric, String unit, String owner, String doc) {}

  public static void main(String[] args) throws Exception {
    EventGenerator generator = new EventGenerator();
    generator.read(Path.of(args[0]));
    switch (args[1]) {
      case "code" -> generator.writeCode(Path.of(args[2]));
      case "document" -> Files.writeString(Path.of(args[2]), generator.document());
      default -> throw new IllegalArgumentException("code or document, not " + args[1]);
    }
  }

  private void read(Path catalogue) throws Exception {
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(catalogue.toFile())
            .getDocumentElement();
    NodeList nodes = root.getElementsByTagName("*");
    for (int i = 0; i < nodes.getLength(); i++) {
      Element node = (Element) nodes.item(i);
      switch (node.getTagName()) {
        case "event" -> events.add(event(node));
        case "count" ->
            counts.add(
                new Count(
                    name(node),
                    node.getAttribute("metric"),
                    node.getAttribute("unit"),
                    owner(node),
                    text(node)));
        case "gauge" ->
            gauges.add(
                new Gauge(
                    name(node),
                    node.getAttribute("metric"),
                    node.getAttribute("unit"),
                    owner(node),
                    text(node)));
        default -> {}
      }
    }
  }

  private static Event event(Element node) {
    List<Field> fields = new ArrayList<>();
    NodeList children = node.getElementsByTagName("field");
    for (int i = 0; i < children.getLength(); i++) {
      Element field = (Element) children.item(i);
      fields.add(
          new Field(
              name(field), field.getAttribute("type"), field.getAttribute("unit"), text(field)));
    }
    String doc = text((Element) node.getElementsByTagName("doc").item(0));
    return new Event(name(node), node.getAttribute("level"), owner(node), doc, fields);
  }

  private static String name(Element node) {
    return node.getAttribute("name");
  }

  private static String owner(Element node) {
    return ((Element) node.getParentNode()).getAttribute("name");
  }

  private static String text(Element node) {
    return node.getTextContent().strip().replaceAll("\\s+", " ");
  }

  static String upper(String name) {
    return name.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
  }

  private void writeCode(Path directory) throws IOException {
    Path event = Files.createDirectories(directory.resolve(EVENT.replace('.', '/')));
    Path jfr = Files.createDirectories(directory.resolve(JFR.replace('.', '/')));
    write(event, "TransportEvents", transportEvents());
    write(event, "EventKind", eventKind());
    write(event, "EventFanOut", fanOut());
    write(event, "EventText", eventText());
    write(event, "DataEvents", dataEvents());
    write(event, "WorkerCounts", workerCounts());
    write(
        event,
        "Count",
        enumOf(
            "Count",
            counts.stream().map(c -> new Gauge(c.name, c.metric, c.unit, c.owner, c.doc)).toList(),
            true));
    write(event, "Gauge", enumOf("Gauge", gauges, false));
    JfrSources sources = new JfrSources(events);
    write(jfr, "JfrEvents", sources.plain());
    write(jfr, "JfrDataEvents", sources.data());
  }

  private static void write(Path directory, String name, String text) throws IOException {
    Files.writeString(directory.resolve(name + ".java"), NOTE + text);
  }

  private static String doc(String indent, String text, List<Field> fields) {
    StringBuilder out = new StringBuilder(indent + "/**\n" + indent + " * " + text + "\n");
    List<Field> described = fields.stream().filter(field -> !field.doc.isEmpty()).toList();
    if (!described.isEmpty()) {
      out.append(indent + " *\n");
      described.forEach(
          field -> out.append(indent + " * @param " + field.readName() + " " + field.doc + "\n"));
    }
    return out.append(indent + " */\n").toString();
  }

  private String transportEvents() {
    StringBuilder out = new StringBuilder(HEAD + "import java.util.List;\n\n");
    out.append(
        """
        /**
         * The events of a transport for subscribers. A subscriber overrides the methods of the events
         * that it wants. Each subscriber is called on a thread of its own ({@link EventSubscription}),
         * so a subscriber may take its time: events beyond the room of its queue are dropped for this
         * subscriber, and counted. In a simulation a subscriber is called on the thread of the event.
         * An exception of a subscriber is logged, frequent exceptions seldom, and harms no other part.
         */
        public interface TransportEvents {
          /** Ignores every event. */
          TransportEvents NONE = new TransportEvents() {};
        """);
    for (Event each : events) {
      String data = each.isData() ? " Only subscribers to data events get this event." : "";
      out.append("\n" + doc("  ", each.doc + data, each.fields));
      out.append("  default void " + each.method() + "(" + each.parameters() + ") {}\n");
    }
    return out.append("}\n").toString();
  }

  private String eventKind() {
    StringBuilder out = new StringBuilder("package " + EVENT + ";\n\nimport java.util.List;\n\n");
    out.append("/** The events, in the order of the catalogue. */\npublic enum EventKind {\n");
    out.append(
        events.stream()
            .map(
                each ->
                    "  /** "
                        + each.doc
                        + " */\n  "
                        + each.constant()
                        + "(\""
                        + each.name
                        + "\", Level."
                        + upper(each.level)
                        + ", \""
                        + each.owner
                        + "\", List.of("
                        + each.fields.stream()
                            .map(f -> "\"" + f.readName() + "\"")
                            .collect(Collectors.joining(", "))
                        + "))")
            .collect(Collectors.joining(",\n")));
    out.append(
        """
        ;

          /** The severity of an event; DATA marks an event of each packet, message or transfer. */
          public enum Level { ERROR, WARN, INFO, DEBUG, DATA }

          private final String title;
          private final Level level;
          private final String owner;
          private final List<String> fields;

          EventKind(String title, Level level, String owner, List<String> fields) {
            this.title = title;
            this.level = level;
            this.owner = owner;
            this.fields = fields;
          }

          /** The name of the event in the catalogue. */
          public String title() {
            return title;
          }

          /** The severity of the event. */
          public Level level() {
            return level;
          }

          /** The part of the transport that the event is about. */
          public String owner() {
            return owner;
          }

          /** The names of the event's fields, without the worker of data events. */
          public List<String> fields() {
            return fields;
          }
        }
        """);
    return out.toString();
  }

  private String fanOut() {
    StringBuilder out =
        new StringBuilder(
            "package "
                + EVENT
                + ";\n\nimport java.util.List;\nimport java.util.function.Consumer;\n\n");
    out.append("/** Hands each wanted event, except data events, to {@link #tell}. */\n");
    out.append("abstract class EventFanOut implements TransportEvents {\n");
    out.append(
        "  /** Whether any subscriber wants events of this kind. */\n"
            + "  protected abstract boolean wants(EventKind kind);\n\n");
    out.append(
        "  /** Calls the subscribers that want events of this kind. */\n"
            + "  protected abstract void tell(EventKind kind, Consumer<TransportEvents> event);\n");
    for (Event each : events) {
      if (!each.isData()) {
        out.append(
            "\n  @Override\n  public void " + each.method() + "(" + each.parameters() + ") {\n");
        out.append("    if (wants(EventKind." + each.constant() + ")) {\n");
        out.append(
            "      tell(EventKind."
                + each.constant()
                + ", each -> each."
                + each.method()
                + "("
                + each.arguments()
                + "));\n");
        out.append("    }\n  }\n");
      }
    }
    return out.append("}\n").toString();
  }

  private String eventText() {
    StringBuilder out = new StringBuilder(HEAD + "import java.util.List;\n\n");
    out.append(
        "/** Makes a line of text of each event: the name, then each field after its name. */\n");
    out.append("public abstract class EventText implements TransportEvents {\n");
    out.append(
        "  /** Receives an event as text. */\n"
            + "  protected abstract void onEvent(EventKind kind, String text);\n");
    for (Event each : events) {
      out.append(
          "\n  @Override\n  public void " + each.method() + "(" + each.parameters() + ") {\n");
      StringBuilder text = new StringBuilder("\"" + each.name);
      boolean hasValue = false;
      List<Field> fields = new ArrayList<>();
      if (each.isData()) {
        fields.add(new Field("worker", "int", "", ""));
      }
      fields.addAll(each.fields);
      for (Field field : fields) {
        text.append(
            (hasValue ? " + \"" : "") + " " + field.readName() + "=\" + " + field.readName());
        hasValue = true;
      }
      out.append(
          "    onEvent(EventKind."
              + each.constant()
              + ", "
              + text
              + (hasValue ? "" : "\"")
              + ");\n  }\n");
    }
    return out.append("}\n").toString();
  }

  private String dataEvents() {
    StringBuilder out =
        new StringBuilder(
            HEAD + "import java.util.function.LongFunction;\nimport org.agrona.DirectBuffer;\n\n");
    out.append(
        """
        /**
         * The events of each packet, message and transfer of a worker, for the subscribers to data
         * events. Without such a subscriber an event costs a single read of a field. Allocates no
         * memory. On the worker's thread.
         */
        public final class DataEvents extends DataRings {
          /** The data events of a worker. */
          public DataEvents(int worker) {
            super(worker);
          }

          /**
           * Calls this listener on the thread of each event: in simulations and labs. Only before the
           * worker runs.
           *
           * @param peers names the peer of a path
           */
          public void direct(TransportEvents listener, LongFunction<String> peers) {
            direct((kind, worker, from) -> tell(kind, worker, from, 0, peers, listener));
          }
        """);
    List<Event> data = events.stream().filter(Event::isData).toList();
    for (Event each : data) {
      String parameters =
          each.fields.stream()
              .map(f -> (f.isPath() ? "long" : f.type) + " " + f.name)
              .collect(Collectors.joining(", "));
      String method = each.name.substring(0, 1).toLowerCase(Locale.ROOT) + each.name.substring(1);
      out.append("\n" + doc("  ", each.doc, List.of()));
      out.append("  public void " + method + "(" + parameters + ") {\n    if (isHeard()) {\n");
      List<String> values = new ArrayList<>();
      each.fields.forEach(f -> values.add(isPrimitive(f) ? f.name : f.name + ".ordinal()"));
      while (values.size() < 5) {
        values.add("0");
      }
      out.append(
          "      write(EventKind."
              + each.constant()
              + ".ordinal(), "
              + String.join(", ", values)
              + ");\n    }\n  }\n");
    }
    out.append(
        """

          /** Calls the subscriber with a data event, as the worker wrote the event. */
          static void tell(
              int kind, int worker, DirectBuffer from, int at, LongFunction<String> peers, TransportEvents to) {
            switch (EventKind.of(kind)) {
        """
            .replace("EventKind.of(kind)", "KINDS[kind]"));
    for (Event each : data) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < each.fields.size(); i++) {
        Field field = each.fields.get(i);
        String read = "from.getLong(at + " + 8 * i + ")";
        values.add(
            switch (field.type) {
              case PATH -> "peers.apply(" + read + ")";
              case "long" -> read;
              case "int" -> "(int) " + read;
              default -> field.type.toUpperCase(Locale.ROOT) + "S[(int) " + read + "]";
            });
      }
      out.append(
          "      case "
              + each.constant()
              + " -> to."
              + each.method()
              + "(worker, "
              + String.join(", ", values)
              + ");\n");
    }
    out.append(
        "      default -> throw new IllegalStateException(\"no data event: \" + kind);\n"
            + "    }\n"
            + "  }\n\n");
    out.append("  private static final EventKind[] KINDS = EventKind.values();\n");
    data.stream()
        .flatMap(each -> each.fields.stream())
        .filter(field -> !isPrimitive(field))
        .map(Field::type)
        .distinct()
        .forEach(
            type ->
                out.append(
                    "  private static final "
                        + type
                        + "[] "
                        + type.toUpperCase(Locale.ROOT)
                        + "S = "
                        + type
                        + ".values();\n"));
    return out.append("}\n").toString();
  }

  private static boolean isPrimitive(Field field) {
    return field.isPath() || field.type.equals("long") || field.type.equals("int");
  }

  private String workerCounts() {
    StringBuilder out = new StringBuilder("package " + EVENT + ";\n\n");
    out.append(
        """
        /**
         * The counts of events on the paths of a worker, from the worker's start on. The worker writes
         * the counts, and any thread reads; a late value does no harm. The differences between two
         * reads are {@link WorkerActivity}.
         */
        public class WorkerCounts {
        """);
    counts.forEach(
        each -> out.append("\n  /** " + each.doc + " */\n  public long " + each.name + ";\n"));
    return out.append("}\n").toString();
  }

  private static String enumOf(String type, List<Gauge> all, boolean isRead) {
    StringBuilder out = new StringBuilder("package " + EVENT + ";\n\n");
    if (isRead) {
      out.append("import java.util.function.ToLongFunction;\n\n");
      out.append("/** The counters of each worker. */\n");
    } else {
      out.append("/** The gauges of each worker: values at a time. */\n");
    }
    out.append("public enum " + type + " {\n");
    out.append(
        all.stream()
            .map(
                each ->
                    "  /** "
                        + each.doc
                        + " */\n  "
                        + upper(each.name)
                        + "(\""
                        + each.metric
                        + "\", \""
                        + each.unit
                        + "\", \""
                        + each.doc.replace("\"", "'")
                        + "\""
                        + (isRead ? ", counts -> counts." + each.name : "")
                        + ")")
            .collect(Collectors.joining(",\n")));
    out.append(
        ";\n\n"
            + "  private final String metric;\n"
            + "  private final String unit;\n"
            + "  private final String text;\n");
    if (isRead) {
      out.append("  private final ToLongFunction<WorkerCounts> reader;\n");
    }
    out.append(
        "\n  "
            + type
            + "(String metric, String unit, String text"
            + (isRead ? ", ToLongFunction<WorkerCounts> reader" : "")
            + ") {\n");
    out.append(
        "    this.metric = metric;\n    this.unit = unit;\n    this.text = text;\n"
            + (isRead ? "    this.reader = reader;\n" : "")
            + "  }\n");
    out.append(
        """

          /** The name of the metric. */
          public String metric() {
            return metric;
          }

          /** The unit of the metric. */
          public String unit() {
            return unit;
          }

          /** The description of the metric, for people. */
          public String text() {
            return text;
          }
        """);
    if (isRead) {
      out.append(
          "\n"
              + "  /** The present value of the counter. */\n"
              + "  public long of(WorkerCounts counts) {\n"
              + "    return reader.applyAsLong(counts);\n"
              + "  }\n");
    }
    return out.append("}\n").toString();
  }

  private String document() {
    StringBuilder out =
        new StringBuilder(
            """
            # Events and metrics

            This page is made of the catalogue, `transport-actors/src/main/events/catalogue.xml`. The interface `TransportEvents`,
            the code that hands events to subscribers, and the events of JFR are made of the catalogue, too.
            [Observability](observability.md) describes the use of events and metrics.

            Levels: `error`, `warn`, `info`, `debug`, and `data`. A data event happens with each packet, message or transfer. Only
            subscribers to data events get each data event. Other subscribers see data events as counts of an interval
            (`WorkerActivity`). In metrics, a format without `.` in names has `_` instead.
            """);
    List<String> owners = new ArrayList<>();
    events.forEach(each -> addOnce(owners, each.owner));
    counts.forEach(each -> addOnce(owners, each.owner));
    gauges.forEach(each -> addOnce(owners, each.owner));
    for (String owner : owners) {
      out.append(
          "\n## " + owner.substring(0, 1).toUpperCase(Locale.ROOT) + owner.substring(1) + "\n");
      List<Event> own = events.stream().filter(each -> each.owner.equals(owner)).toList();
      if (!own.isEmpty()) {
        out.append("\n| event | level | fields | what happened |\n|---|---|---|---|\n");
        for (Event each : own) {
          String fields =
              each.fields.stream()
                  .map(
                      f -> "`" + f.readName() + "`" + (f.unit.isEmpty() ? "" : " (" + f.unit + ")"))
                  .collect(Collectors.joining(", "));
          out.append(
              "| `"
                  + each.name
                  + "` | "
                  + each.level
                  + " | "
                  + fields
                  + " | "
                  + plain(each.doc)
                  + " |\n");
        }
      }
      table(
          out,
          "counter",
          counts.stream()
              .filter(each -> each.owner.equals(owner))
              .map(c -> new Gauge(c.name, c.metric, c.unit, c.owner, c.doc))
              .toList());
      table(out, "gauge", gauges.stream().filter(each -> each.owner.equals(owner)).toList());
    }
    return out.toString();
  }

  private static void addOnce(List<String> all, String one) {
    if (!all.contains(one)) {
      all.add(one);
    }
  }

  private static void table(StringBuilder out, String kind, List<Gauge> all) {
    if (!all.isEmpty()) {
      out.append(
          "\n| "
              + kind
              + " | unit | what it counts |\n|---|---|---|\n"
                  .replace(
                      "what it counts", kind.equals("gauge") ? "what it is" : "what it counts"));
      all.forEach(
          each ->
              out.append(
                  "| `" + each.metric + "` | " + each.unit + " | " + plain(each.doc) + " |\n"));
    }
  }

  private static String plain(String doc) {
    return doc.replaceAll("\\{@link #?([^ }]*)[^}]*\\}", "`$1`")
        .replaceAll("\\{@code ([^}]*)\\}", "`$1`")
        .replace("|", "\\|");
  }
}
