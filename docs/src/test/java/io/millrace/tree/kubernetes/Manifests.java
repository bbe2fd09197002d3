package io.millrace.tree.kubernetes;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.InvocationTargetException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads manifests strictly, by the model of the Kubernetes client: a field that the type of the
 * resource does not have, a value of another kind, and a key given twice are errors.
 */
final class Manifests {
  private static final String MODELS = "io.kubernetes.client.openapi.models.V1";
  private static final Map<String, String> VERSIONS =
      Map.of(
          "ConfigMap", "v1",
          "Service", "v1",
          "StatefulSet", "apps/v1",
          "NetworkPolicy", "networking.k8s.io/v1",
          "PodDisruptionBudget", "policy/v1");

  private static final Gson GSON =
      new GsonBuilder()
          .registerTypeAdapter(IntOrString.class, new IntOrString.IntOrStringAdapter())
          .registerTypeAdapter(Quantity.class, new Quantity.QuantityAdapter())
          .registerTypeAdapter(OffsetDateTime.class, new NoDates())
          .create();

  private Manifests() {}

  /** A manifest holds no date: dates are the cluster's part of a resource. */
  private static final class NoDates extends TypeAdapter<OffsetDateTime> {
    @Override
    public void write(JsonWriter out, OffsetDateTime value) {
      throw new IllegalArgumentException("a date");
    }

    @Override
    public OffsetDateTime read(JsonReader in) {
      throw new IllegalArgumentException("a date");
    }
  }

  /**
   * Returns the fields of a manifest.
   *
   * @throws RuntimeException if the manifest is not a resource of its kind, and nothing else
   */
  static Config read(String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    JsonElement read = GSON.toJsonTree(new Yaml(new SafeConstructor(options)).load(yaml));
    Config fields = ConfigFactory.parseString(read.toString());
    String kind = fields.getString("kind");
    if (!Objects.equals(VERSIONS.get(kind), fields.getString("apiVersion"))) {
      throw new IllegalArgumentException("no known kind: " + kind + " of this version");
    }
    check(kind, read);
    return fields;
  }

  /** By reflection: the annotations of the models are in no artifact of this build. */
  private static void check(String kind, JsonElement read) {
    try {
      Class<?> model = Class.forName(MODELS + kind);
      model.getMethod("validateJsonElement", JsonElement.class).invoke(null, read);
      Objects.requireNonNull(GSON.fromJson(read, model));
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(kind + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the model has changed", e);
    }
  }
}
