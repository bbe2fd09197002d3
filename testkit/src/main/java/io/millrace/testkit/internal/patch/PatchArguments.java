package io.millrace.testkit.internal.patch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent's arguments, {@code packages=com.acme;org.foo,report}.
 *
 * @param packages the packages to rewrite
 * @param report whether to print the rewritten classes at the end
 */
record PatchArguments(PatchedPackages packages, boolean report) {
  private static final String PACKAGES = "packages=";

  static PatchArguments parse(@Nullable String text) {
    PatchedPackages packages = PatchedPackages.DEFAULT;
    boolean report = false;
    for (String argument : text == null || text.isBlank() ? List.<String>of() : split(text, ",")) {
      if (argument.startsWith(PACKAGES)) {
        packages = packages.with(split(argument.substring(PACKAGES.length()), ";"));
      } else if (argument.equals("report")) {
        report = true;
      } else {
        throw new IllegalArgumentException(
            "the agent of the simulator does not know '"
                + argument
                + "'; it takes packages=com.acme;org.foo and report, separated by a comma");
      }
    }
    return new PatchArguments(packages, report);
  }

  private static List<String> split(String text, String separator) {
    return List.of(text.split(separator, -1));
  }
}
