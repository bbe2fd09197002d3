package io.millrace.samples.cli;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the checkout that runs: {@code bin/millrace} says, else the classes lie in it. */
final class Checkout {
  private Checkout() {}

  /**
   * Where things are kept that belong to this checkout and to no commit; the home directory else.
   */
  static Path localDirectory() {
    String home = System.getProperty("millrace.home");
    Path root = home != null ? Path.of(home) : root();
    return root != null
        ? root.resolve(".local")
        : Path.of(System.getProperty("user.home", "."), ".millrace");
  }

  private static @Nullable Path root() {
    try {
      Path classes =
          Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path folder = classes.getParent(); folder != null; folder = folder.getParent()) {
        if (Files.isRegularFile(folder.resolve("bin").resolve("millrace"))) {
          return folder;
        }
      }
    } catch (URISyntaxException e) {
      return null;
    }
    return null;
  }
}
