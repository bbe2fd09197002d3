package io.millrace.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.w3c.dom.Element;

/**
 * Makes the tables of the Wireshark dissector from the frame schema: names and values of the enums,
 * and each frame with its fields in their order, the meanings and units of the fields. The {@code
 * main} needs nothing but the JDK.
 */
final class DissectorTables {
  static final String SCHEMA = "transport-actors/src/main/sbe/millrace.xml";
  static final String DISSECTOR = "docs/wireshark/millrace.lua";

  private static final String BEGIN = "-- generated: begin\n";
  private static final String END = "-- generated: end\n";

  /** The last word of a field's name tells its unit. */
  private static final Map<String, String> UNITS =
      new TreeMap<>(
          Map.of(
              "Ns", "ns", "Us", "us", "Ms", "ms", "Mbps", "Mbit/s", "Bytes", "bytes", "bytes",
              "bytes", "Bits", "bits", "Packets", "packets"));

  private static final Set<String> INTEGERS = Set.of("uint8", "uint16", "uint32", "uint64");

  private final StringBuilder out = new StringBuilder();
  private final Map<String, Integer> fixedBytes = new HashMap<>();
  private final Map<String, Boolean> enums = new HashMap<>();

  private DissectorTables() {}

  /** The dissector with the tables that this schema makes. */
  static String replaced(String dissector, String schema) {
    int begin = dissector.indexOf(BEGIN) + BEGIN.length();
    int end = dissector.indexOf(END);
    if (begin < BEGIN.length() || end < begin) {
      throw new IllegalArgumentException("the dissector lacks the marks of what is generated");
    }
    return dissector.substring(0, begin) + of(schema) + dissector.substring(end);
  }

  /** The tables. */
  static String of(String schema) {
    DissectorTables tables = new DissectorTables();
    Element root = FrameSchema.rootOf(schema);
    tables.out.append("local ENUMS = {\n");
    for (Element types : named(root, "types")) {
      FrameSchema.children(types).forEach(tables::type);
    }
    tables.out.append("}\nlocal FRAMES = {\n");
    named(root, "message").forEach(tables::frame);
    return tables.out.append("}\n").toString();
  }

  private static List<Element> named(Element parent, String name) {
    return FrameSchema.children(parent).stream()
        .filter(child -> name.equals(child.getLocalName()))
        .toList();
  }

  private void type(Element type) {
    String name = type.getAttribute("name");
    switch (type.getLocalName()) {
      case "enum" -> {
        if (!type.getAttribute("encodingType").equals("uint8")) {
          throw new IllegalArgumentException("the dissector knows enums of one byte, not " + name);
        }
        enums.put(name, true);
        out.append("  ").append(name).append(" = {");
        for (Element value : FrameSchema.children(type)) {
          out.append(
              " [%s] = %s,".formatted(value.getTextContent().strip(), quoted(value, "name")));
        }
        out.append(" },\n");
      }
      case "type" -> fixedBytes.put(name, Integer.parseInt(type.getAttribute("length")));
      default -> {
        // The composites are the frame's start, a group's and a variable field's: they are
        // protocol.
      }
    }
  }

  private void frame(Element frame) {
    out.append(
        "  [%s] = { name = %s, about = %s, members = {\n"
            .formatted(
                frame.getAttribute("id"), quoted(frame, "name"), quoted(frame, "description")));
    FrameSchema.children(frame).forEach(member -> member(member, "    "));
    out.append("  } },\n");
  }

  private void member(Element member, String indent) {
    out.append(indent).append("{ ").append(quoted(member, "name")).append(", ");
    String type = member.getAttribute("type");
    switch (member.getLocalName()) {
      case "group" -> {
        out.append("\"group\", %s, members = {\n".formatted(quoted(member, "description")));
        FrameSchema.children(member).forEach(each -> member(each, indent + "  "));
        out.append(indent).append("} },\n");
      }
      case "data" ->
          out.append(
              "\"%s\", %s },\n"
                  .formatted(isText(member) ? "text" : "bytes", quoted(member, "description")));
      default -> {
        Integer bytes = fixedBytes.get(type);
        if (bytes == null && !INTEGERS.contains(type) && !enums.containsKey(type)) {
          throw new IllegalArgumentException("the dissector does not know the type " + type);
        }
        out.append("\"%s\", ".formatted(bytes == null ? type : "bytes"))
            .append(quoted(member, "description"));
        if (bytes != null) {
          out.append(", size = ").append(bytes);
        } else {
          unit(member.getAttribute("name"));
        }
        out.append(" },\n");
      }
    }
  }

  private void unit(String name) {
    UNITS.entrySet().stream()
        .filter(unit -> name.endsWith(unit.getKey()))
        .findFirst()
        .ifPresent(unit -> out.append(", unit = \"").append(unit.getValue()).append('"'));
  }

  private static boolean isText(Element data) {
    String about = data.getAttribute("description");
    return data.getAttribute("name").equals("text")
        || about.contains("UTF-8")
        || about.contains("ASCII");
  }

  private static String quoted(Element element, String attribute) {
    String text = element.getAttribute(attribute);
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Writes the tables into the dissector; run it in the root of the repository. */
  public static void main(String[] arguments) throws IOException {
    Path dissector = Path.of(DISSECTOR);
    Files.writeString(
        dissector, replaced(Files.readString(dissector), Files.readString(Path.of(SCHEMA))));
  }
}
