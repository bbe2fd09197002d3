package io.millrace.spring;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one source as blocks and lists: Spring has flat names, and numbers as names of
 * a list's elements.
 */
final class PropertyTree {
  private final TreeMap<String, PropertyTree> children = new TreeMap<>();
  private @Nullable ConfigValue value;

  void put(String[] path, ConfigValue here) {
    PropertyTree at = this;
    for (String name : path) {
      at = at.children.computeIfAbsent(name, _ -> new PropertyTree());
    }
    at.value = here;
  }

  Config config() {
    return children.isEmpty() ? ConfigFactory.empty() : ConfigFactory.parseMap(map());
  }

  private Map<String, Object> map() {
    Map<String, Object> map = new TreeMap<>();
    children.forEach((name, child) -> map.put(name, child.content()));
    return map;
  }

  private Object content() {
    ConfigValue leaf = value;
    if (leaf != null) {
      return leaf;
    }
    if (children.keySet().stream().allMatch(PropertyTree::isIndex)) {
      return children.entrySet().stream()
          .sorted((one, other) -> Integer.compare(index(one.getKey()), index(other.getKey())))
          .map(each -> each.getValue().content())
          .toList();
    }
    return ConfigValueFactory.fromMap(map());
  }

  private static boolean isIndex(String name) {
    return !name.isEmpty()
        && name.length() < 10
        && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static int index(String name) {
    return Integer.parseInt(name);
  }
}
