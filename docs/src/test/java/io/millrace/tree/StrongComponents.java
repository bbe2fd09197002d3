package io.millrace.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The nodes of a graph that reach each other: the strongly connected components of more than one
 * node, found by Tarjan's algorithm. One thread.
 */
final class StrongComponents {
  private final Map<String, ? extends Collection<String>> edges;
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> isOpen = new HashSet<>();
  private final List<SortedSet<String>> found = new ArrayList<>();

  private StrongComponents(Map<String, ? extends Collection<String>> edges) {
    this.edges = edges;
  }

  /**
   * The components, the largest first, each with its members in order.
   *
   * @param edges from each node to the nodes that it depends on; a node without a key has no edges
   */
  static List<SortedSet<String>> of(Map<String, ? extends Collection<String>> edges) {
    StrongComponents search = new StrongComponents(edges);
    for (String node : new TreeSet<>(edges.keySet())) {
      if (!search.order.containsKey(node)) {
        search.visit(node);
      }
    }
    search.found.sort((a, b) -> Integer.compare(b.size(), a.size()));
    return search.found;
  }

  private void visit(String node) {
    int number = order.size();
    order.put(node, number);
    low.put(node, number);
    open.push(node);
    isOpen.add(node);
    Collection<String> targets = edges.get(node);
    if (targets != null) {
      targets.forEach(target -> follow(node, target));
    }
    if (low.get(node) == number) {
      close(node);
    }
  }

  private void follow(String node, String target) {
    if (!order.containsKey(target)) {
      visit(target);
      low.merge(node, low.get(target), Math::min);
    } else if (isOpen.contains(target)) {
      low.merge(node, order.get(target), Math::min);
    }
  }

  private void close(String first) {
    SortedSet<String> members = new TreeSet<>();
    String member;
    do {
      member = open.pop();
      isOpen.remove(member);
      members.add(member);
    } while (!member.equals(first));
    if (members.size() > 1) {
      found.add(members);
    }
  }
}
