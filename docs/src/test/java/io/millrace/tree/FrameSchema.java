package io.millrace.tree;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** The frames as {@code millrace.xml} defines them, in the order of the file. */
final class FrameSchema {
  /**
   * One field.
   *
   * @param name a member of a group is named {@code group.member}
   * @param type the schema's type, or {@code group}
   */
  record Field(String name, String type) {}

  /** One frame or handshake message. */
  record Frame(String name, int id, List<Field> fields) {}

  private FrameSchema() {}

  /** All messages of the schema. */
  static List<Frame> parse(String xml) {
    List<Frame> frames = new ArrayList<>();
    for (Element message : children(rootOf(xml))) {
      if ("message".equals(message.getLocalName())) {
        List<Field> fields = new ArrayList<>();
        collect(message, "", fields);
        int id = Integer.parseInt(message.getAttribute("id"));
        frames.add(new Frame(message.getAttribute("name"), id, List.copyOf(fields)));
      }
    }
    return frames;
  }

  private static void collect(Element parent, String prefix, List<Field> fields) {
    for (Element child : children(parent)) {
      String name = prefix + child.getAttribute("name");
      if ("group".equals(child.getLocalName())) {
        fields.add(new Field(name, "group"));
        collect(child, name + ".", fields);
      } else {
        fields.add(new Field(name, child.getAttribute("type")));
      }
    }
  }

  static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  static Element rootOf(String xml) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      return factory
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(xml)))
          .getDocumentElement();
    } catch (Exception e) {
      throw new IllegalArgumentException("the schema does not parse", e);
    }
  }
}
