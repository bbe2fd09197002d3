package io.millrace.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A block of the configuration; each getter names the bad key. Sizes are bytes, times nanoseconds.
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

  /** Whether a text stands there, and not a list or a number. */
  boolean isText(String name) {
    ConfigValue value = config.root().get(name);
    return value != null && value.valueType() == ConfigValueType.STRING;
  }

  boolean flag(String name) {
    return read(name, config::getBoolean, "true or false");
  }

  int integer(String name, int least, int most) {
    return (int) count(name, least, most);
  }

  long count(String name, long least, long most) {
    return inRange(
        name, read(name, config::getLong, "a whole number"), least, most, Long::toString);
  }

  int bytes(String name, int least, int most) {
    return (int) longBytes(name, least, most);
  }

  long longBytes(String name, long least, long most) {
    long value = read(name, config::getBytes, "a size such as 4 MiB");
    return inRange(name, value, least, most, HoconText::size);
  }

  /** A rate, or 0 without a limit. */
  long bitsPerSecond(String name, long least, long most) {
    String text = string(name);
    if (text.equals("unlimited") || text.equals("0")) {
      return 0;
    }
    try {
      return inRange(name, HoconText.bitsPerSecond(text), least, most, HoconText::rate);
    } catch (NumberFormatException e) {
      throw new SettingsException(
          key(name), "must be a rate such as 25 Gbit/s, or unlimited, not '" + text + "'");
    }
  }

  long nanos(String name, long least, long most) {
    Duration value = read(name, config::getDuration, "a duration such as 10 ms");
    long ns = TimeUnit.NANOSECONDS.convert(value); // a longer duration saturates
    return inRange(name, ns, least, most, HoconText::duration);
  }

  List<String> strings(String name) {
    return List.copyOf(read(name, config::getStringList, "a list of strings"));
  }

  List<Integer> integers(String name) {
    return List.copyOf(read(name, config::getIntList, "a list of whole numbers"));
  }

  /** A list of sizes, each below 2 GiB. */
  List<Integer> sizes(String name) {
    List<Long> values = read(name, config::getBytesList, "a list of sizes such as 64 KiB");
    return values.stream()
        .map(value -> (int) inRange(name, value, 1, Integer.MAX_VALUE, HoconText::size))
        .toList();
  }

  boolean has(String name) {
    return config.hasPath(name);
  }

  /** Reads a single string, or a list of strings. */
  List<String> stringOrStrings(String name) {
    return isText(name) ? List.of(string(name)) : strings(name);
  }

  /** A list of blocks, each with some of these keys and no other. */
  List<Section> blocks(String name, Set<String> keys) {
    List<? extends Config> listed = read(name, config::getConfigList, "a list of blocks");
    List<Section> blocks = new ArrayList<>();
    for (Config each : listed) {
      Section block = new Section(key(name) + "[" + blocks.size() + "]", each);
      for (String key : each.root().keySet()) {
        if (!keys.contains(key)) {
          throw new SettingsException(
              block.key(key), "is unknown; an entry has " + new TreeSet<>(keys));
        }
      }
      blocks.add(block);
    }
    return blocks;
  }

  <E extends Enum<E>> E choice(String name, Class<E> type) {
    String text = string(name);
    String value = text.toUpperCase(Locale.ROOT).replace('-', '_');
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    String names =
        Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
    throw new SettingsException(key(name), "must be one of " + names + ", not '" + text + "'");
  }

  private long inRange(String name, long value, long least, long most, LongFunction<String> text) {
    if (value < least || value > most) {
      throw new SettingsException(
          key(name),
          "must be from "
              + text.apply(least)
              + " to "
              + text.apply(most)
              + ", not "
              + text.apply(value));
    }
    return value;
  }

  private <T> T read(String name, Function<String, T> getter, String wanted) {
    try {
      return getter.apply(name);
    } catch (ConfigException.Missing e) {
      throw new SettingsException(key(name), "is missing; it must be " + wanted);
    } catch (ConfigException e) {
      throw new SettingsException(key(name), "must be " + wanted + found(name));
    }
  }

  /**
   * The value found instead, if the value is short; a secret is read as text and never gets here.
   */
  private String found(String name) {
    ConfigValue value = config.root().get(name);
    if (value == null
        || value.valueType() == ConfigValueType.OBJECT
        || value.valueType() == ConfigValueType.LIST) {
      return "";
    }
    return ", not '" + value.unwrapped() + "'";
  }
}
