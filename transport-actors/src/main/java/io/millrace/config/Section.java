package io.millrace.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One block of the configuration; each getter names the bad key. Sizes are bytes, times
 * nanoseconds.
 */
final class Section {
  private final String path;
  private final Config config;

  Section(String path, Config config) {
    this.path = path;
    this.config = config;
  }

  static Section of(Config root, String path) {
    try {
      return new Section(path, root.getConfig(path));
    } catch (ConfigException e) {
      throw new SettingsException(path, "is missing or not a block");
    }
  }

  Section child(String name) {
    return new Section(key(name), read(name, config::getConfig, "a block"));
  }

  String key(String name) {
    return path + "." + name;
  }

  String string(String name) {
    return read(name, config::getString, "a string");
  }

  boolean flag(String name) {
    return read(name, config::getBoolean, "true or false");
  }

  int integer(String name, int least, int most) {
    return (int) inRange(name, read(name, config::getLong, "a whole number"), least, most);
  }

  long count(String name, long least, long most) {
    return inRange(name, read(name, config::getLong, "a whole number"), least, most);
  }

  int bytes(String name, int least, int most) {
    return (int) inRange(name, read(name, config::getBytes, "a size such as 4 MiB"), least, most);
  }

  long longBytes(String name, long least, long most) {
    return inRange(name, read(name, config::getBytes, "a size such as 4 MiB"), least, most);
  }

  long nanos(String name, long least, long most) {
    long value = read(name, config::getDuration, "a duration such as 10 ms").toNanos();
    if (value < least || value > most) {
      throw new SettingsException(
          key(name), "must be from " + least + " ns to " + most + " ns, not " + value + " ns");
    }
    return value;
  }

  List<Integer> integers(String name) {
    return List.copyOf(read(name, config::getIntList, "a list of whole numbers"));
  }

  /** A list of sizes, each below 2 GiB. */
  List<Integer> sizes(String name) {
    List<Long> values = read(name, config::getBytesList, "a list of sizes such as 64 KiB");
    return values.stream().map(value -> (int) inRange(name, value, 1, Integer.MAX_VALUE)).toList();
  }

  <E extends Enum<E>> E choice(String name, Class<E> type) {
    String value = string(name).toUpperCase(Locale.ROOT).replace('-', '_');
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw new SettingsException(
        key(name), "must be one of " + List.of(type.getEnumConstants()) + ", not " + value);
  }

  private long inRange(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new SettingsException(
          key(name), "must be from " + least + " to " + most + ", not " + value);
    }
    return value;
  }

  private <T> T read(String name, Function<String, T> getter, String wanted) {
    try {
      return getter.apply(name);
    } catch (ConfigException.Missing e) {
      throw new SettingsException(key(name), "is missing; it must be " + wanted);
    } catch (ConfigException e) {
      throw new SettingsException(key(name), "must be " + wanted);
    }
  }
}
