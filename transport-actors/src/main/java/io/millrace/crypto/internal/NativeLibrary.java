package io.millrace.crypto.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for a shared library that exports the symbols of a binding. Libraries stay loaded for the
 * life of the process. Any thread; control plane.
 */
final class NativeLibrary {
  private NativeLibrary() {}

  /** The result of a search. */
  sealed interface Search {
    /** A library with all symbols; {@code name} is the candidate that led to the library. */
    record Found(String name, SymbolLookup symbols) implements Search {}

    /** No candidate would do; {@code reason} says in a sentence why not. */
    record Missing(String reason) implements Search {}
  }

  /**
   * Takes the first candidate that can be loaded and exports every symbol.
   *
   * @param candidates file names for the system's loader, or absolute paths
   */
  static Search find(List<String> candidates, List<String> symbols) {
    List<String> tried = new ArrayList<>();
    for (String candidate : candidates) {
      Path path = Path.of(candidate);
      if (path.isAbsolute() && !Files.exists(path)) {
        continue;
      }
      try {
        SymbolLookup lookup = load(candidate);
        String absent = firstAbsent(lookup, symbols);
        if (absent.isEmpty()) {
          return new Search.Found(candidate, lookup);
        }
        tried.add(candidate + " has no " + absent);
      } catch (IllegalArgumentException e) {
        tried.add(candidate + " cannot be loaded");
      } catch (IllegalCallerException e) {
        return new Search.Missing("native access is not enabled for this class path");
      }
    }
    return new Search.Missing(tried.isEmpty() ? "no library was found" : String.join(", ", tried));
  }

  @SuppressWarnings("restricted") // loads a library that the system or its administrator installed
  private static SymbolLookup load(String candidate) {
    Path path = Path.of(candidate);
    return path.isAbsolute()
        ? SymbolLookup.libraryLookup(path, Arena.global())
        : SymbolLookup.libraryLookup(candidate, Arena.global());
  }

  private static String firstAbsent(SymbolLookup lookup, List<String> symbols) {
    for (String symbol : symbols) {
      if (lookup.find(symbol).isEmpty()) {
        return symbol;
      }
    }
    return "";
  }
}
