package io.millrace.crypto;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The providers of one kind on the class path. */
final class LoadableProviders {
  private LoadableProviders() {}

  /** All that can be loaded: one that an application added and that cannot must not stop others. */
  static <P> List<P> of(Class<P> kind) {
    List<P> found = new ArrayList<>();
    Iterator<ServiceLoader.Provider<P>> candidates = ServiceLoader.load(kind).stream().iterator();
    boolean more = true;
    while (more) {
      try {
        more = candidates.hasNext();
        if (more) {
          found.add(candidates.next().get());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        more = true;
      }
    }
    return found;
  }
}
