package io.millrace.config;

import java.util.List;

/**
 * The CPUs that workers are pinned to.
 *
 * @param isAuto whether the node chooses the CPUs at the start
 * @param ids the CPUs to choose from otherwise, at least a CPU for each worker; empty when no
 *     worker is pinned
 */
public record CoreSettings(boolean isAuto, List<Integer> ids) {
  private static final String CORES = "cores";

  /** Copies the list. */
  public CoreSettings {
    ids = List.copyOf(ids);
  }

  /** Reads the key; cores that NICs name for their workers go before this key. */
  static CoreSettings from(Section section, int workers, List<NicEntry> nics) {
    List<Integer> ofNics = nics.stream().flatMap(nic -> nic.cores().stream()).toList();
    if (!ofNics.isEmpty()) {
      CoreSettings named = new CoreSettings(false, ofNics);
      named.check("millrace.nics", workers);
      return named;
    }
    if (section.isText(CORES)) {
      String text = section.string(CORES);
      return switch (text) {
        case "auto" -> new CoreSettings(true, List.of());
        case "none" -> new CoreSettings(false, List.of());
        default ->
            throw new SettingsException(
                section.key(CORES),
                "must be auto, none, or a list such as [2, 3], not '" + text + "'");
      };
    }
    CoreSettings settings = new CoreSettings(false, section.integers(CORES));
    settings.check(section.key(CORES), workers);
    return settings;
  }

  private void check(String key, int workers) {
    if (!ids.isEmpty() && ids.size() < workers) {
      throw new SettingsException(
          key, "must name a core for each of the " + workers + " workers, or none, not " + ids);
    }
    if (ids.stream().distinct().count() != ids.size()) {
      throw new SettingsException(key, "names a core twice: " + ids);
    }
    if (ids.stream().anyMatch(core -> core < 0)) {
      throw new SettingsException(key, "names a negative core: " + ids);
    }
  }
}
