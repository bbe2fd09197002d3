package io.millrace.samples.process;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the running checkout: from {@code bin/millrace}, else from the place of the classes. */
public final class Checkout {
  private Checkout() {}

  /**
   * Returns the directory for files that belong to this checkout and to no commit; without a
   * checkout in the home directory.
   */
  public static Path localDirectory() {
    Path root = home();
    return root != null ? root.resolve(".local") : inHomeDirectory();
  }

  /** Returns the default directory for the certificates of this checkout's nodes. */
  public static Path certificates() {
    Path root = home();
    Path own = root != null ? root.resolve(".millrace") : inHomeDirectory();
    return own.resolve("certs");
  }

  /** Returns the jar or the folder with the class. */
  public static Path classesWith(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path inHomeDirectory() {
    return Path.of(System.getProperty("user.home", "."), ".millrace");
  }

  private static @Nullable Path home() {
    String home = System.getProperty("millrace.home");
    return home != null ? Path.of(home) : root();
  }

  private static @Nullable Path root() {
    for (Path folder = classesWith(Checkout.class).getParent();
        folder != null;
        folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("bin").resolve("millrace"))) {
        return folder;
      }
    }
    return null;
  }
}
